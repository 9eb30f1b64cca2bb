"""Answers questions about Chinese chess by pyffish (Fairy-Stockfish):

    legal FEN              ->  the legal moves
    wxf FEN                ->  the legal moves and how they are written, as MOVE=TEXT
    game MOVES...          ->  w or b if the moves of a whole game end with a side that has none, on if it has some, or the
                               first one that is not legal
    verdict FEN|MOVES...   ->  w, b or draw if the moves end in a repetition that ends the game, else none

Squares are those of UCCI: files a-i, ranks 0-9.
"""

import re

import pyffish

SQUARE = re.compile(r"([a-i])(\d+)")


def shift(move, by):
    """pyffish counts ranks from 1 to 10, UCCI from 0 to 9."""
    return SQUARE.sub(lambda square: square[1] + str(int(square[2]) + by), move)


def verdict(fen, moves):
    ended, value = pyffish.is_optional_game_end("xiangqi", fen, [shift(move, 1) for move in moves])
    if not ended:
        return "none"
    to_move = fen.split()[1] if len(moves) % 2 == 0 else "wb"[fen.split()[1] == "w"]
    return "draw" if value == 0 else to_move if value > 0 else "wb"[to_move == "w"]


def game(moves):
    start, played = pyffish.start_fen("xiangqi"), []
    for move in moves:
        if shift(move, 1) not in pyffish.legal_moves("xiangqi", start, played):
            return f"{move}, move {len(played) + 1}, is not legal"
        played.append(shift(move, 1))
    if pyffish.legal_moves("xiangqi", start, played):
        return "on"
    # Who cannot move has lost.
    return "b" if len(played) % 2 == 0 else "w"


def answer(question):
    word, _, rest = question.partition(" ")
    if word == "legal":
        return " ".join(shift(move, -1) for move in pyffish.legal_moves("xiangqi", rest, []))
    if word == "wxf":
        moves = pyffish.legal_moves("xiangqi", rest, [])
        texts = (pyffish.get_san("xiangqi", rest, move, False, pyffish.NOTATION_XIANGQI_WXF) for move in moves)
        return " ".join(f"{shift(move, -1)}={text}" for move, text in zip(moves, texts))
    if word == "game":
        return game(rest.split())
    fen, _, moves = rest.partition("|")
    return verdict(fen, moves.split())
