"""Random games of Othello by Fairy-Stockfish's rules (variant flipello of pyffish). The end is 64 letters from a1, row by row.

Its ranks count from the bottom, Othello's rows from the top; its pass is a move from a square to itself. Where squares are
left but neither side can play, it lets both pass before the game is over; here the game ends at once, as players have it.
"""

import pyffish

VARIANT = "flipello"
# An unknown variant would crash the module.
assert VARIANT in pyffish.variants()


def name(move):
    if "@" not in move:
        return "pass"
    square = move.split("@")[1]
    return square[0] + str(9 - int(square[1:]))


def only_pass(legal):
    return all(name(move) == "pass" for move in legal)


def board(fen):
    letters = ""
    for letter in fen.split("[")[0].replace("/", ""):
        letters += "." * int(letter) if letter.isdigit() else {"P": "X", "p": "O"}[letter]
    return letters


def game(generator, _number):
    start, moves = pyffish.start_fen(VARIANT), []
    while legal := pyffish.legal_moves(VARIANT, start, moves):
        if only_pass(legal) and only_pass(pyffish.legal_moves(VARIANT, start, moves + legal)):
            break
        moves.append(generator.choice(legal))
        yield name(moves[-1]), list(map(name, legal))
    return board(pyffish.get_fen(VARIANT, start, moves))
