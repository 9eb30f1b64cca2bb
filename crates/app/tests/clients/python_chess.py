"""python-chess plays whole games of tic-tac-toe against our UCI engine, and is the referee.
Usage: python python_chess.py ENGINE ARGUMENTS…

The library knows chess; tic-tac-toe is a board of drops on the squares a1 to c3, as in cutechess. Prints the results.
"""
import logging
import random
import sys

import chess
import chess.engine

LINES = [(0, 1, 2), (8, 9, 10), (16, 17, 18), (0, 8, 16), (1, 9, 17), (2, 10, 18), (0, 9, 18), (2, 9, 16)]
SQUARES = [chess.square(file, rank) for rank in range(3) for file in range(3)]


class TicTacToe(chess.Board):
    """Stones are pawns that are dropped; White is first."""

    uci_variant = "tictactoe"

    def __init__(self):
        super().__init__(None)

    def fen(self, **_):
        rows = ("".join(self.stone(chess.square(file, rank)) for file in range(3)) for rank in (2, 1, 0))
        text = "/".join(row.replace("...", "3").replace("..", "2").replace(".", "1") for row in rows)
        return text + (" w" if self.turn else " b") + " - - 0 1"

    def stone(self, square):
        piece = self.piece_at(square)
        return piece.symbol() if piece else "."

    def is_legal(self, move):
        drops = move and move.drop == chess.PAWN and move.to_square in SQUARES
        return bool(drops) and self.piece_at(move.to_square) is None and self.winner() is None

    def parse_uci(self, uci):
        move = chess.Move.from_uci(uci)
        if not self.is_legal(move):
            raise chess.IllegalMoveError(uci)
        return move

    def push(self, move):
        self.move_stack.append(move)
        self._stack.append(None)
        self.set_piece_at(move.to_square, chess.Piece(chess.PAWN, self.turn))
        self.turn = not self.turn

    def set_piece_at(self, square, piece, promoted=False):
        self._set_piece_at(square, piece.piece_type, piece.color)

    def pop(self):
        move = self.move_stack.pop()
        self._stack.pop()
        self._remove_piece_at(move.to_square)
        self.turn = not self.turn
        return move

    def copy(self, *, stack=True):
        board = TicTacToe()
        for move in self.move_stack:
            board.push(move)
        if not stack:
            board.move_stack.clear()
            board._stack.clear()
        return board

    def root(self):
        return TicTacToe()

    def winner(self):
        for line in LINES:
            owners = {self.color_at(square) for square in line}
            if owners in ({True}, {False}):
                return owners.pop()
        return None

    def is_over(self):
        return self.winner() is not None or all(self.piece_at(square) for square in SQUARES)


class Complaints(logging.Handler):
    """What the library logs, tracebacks included."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


complaints = Complaints()
logging.getLogger("chess.engine").addHandler(complaints)
random.seed(1)


def play(engine, game):
    """A game against random moves; how it ends for the engine."""
    board, ours = TicTacToe(), game % 2 == 0
    while not board.is_over():
        if board.turn == ours:
            limit = chess.engine.Limit(nodes=20_000)
            move = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL).move
            assert board.is_legal(move), (board.fen(), move)
        else:
            square = random.choice([square for square in SQUARES if board.piece_at(square) is None])
            move = chess.Move(square, square, drop=chess.PAWN)
        board.push(move)
    winner = board.winner()
    return "draw" if winner is None else "won" if winner == ours else "lost"


with chess.engine.SimpleEngine.popen_uci(sys.argv[1:]) as engine:
    assert "gomokufreestyle" in engine.options["UCI_Variant"].var, engine.options
    results = [play(engine, game) for game in range(6)]
    # The best lines of an analysis come sorted, each one legal.
    board = TicTacToe()
    board.push(chess.Move.from_uci("P@a1"))
    lines = engine.analyse(board, chess.engine.Limit(nodes=20_000), multipv=4)
    assert len(lines) == 4 and all(line.get("pv") for line in lines), lines
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True), scores
    engine.configure({"Threads": 2, "Hash": 16})
assert not complaints.texts, complaints.texts
print(" ".join(results))
