"""Random games of Chinese chess by OpenSpiel, with the board after every ply. The end is both players' scores.

Squares are those of UCCI: files a-i, ranks 0-9.
"""

import re

import pyspiel

MOVE = re.compile(r"\((\d),(\d)\)-\((\d),(\d)\)")
LETTERS = str.maketrans("gGsSeEhH", "kKpPbBnN")


def text(state, action):
    row, column, to_row, to_column = map(int, MOVE.search(state.action_to_string(action)).groups())
    return "%s%d%s%d" % ("abcdefghi"[column], 9 - row, "abcdefghi"[to_column], 9 - to_row)


def board(state):
    return "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in str(state).split()).translate(LETTERS)


def game(generator, _number):
    state = pyspiel.load_game("xiangqi").new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        action = generator.choice(actions)
        move, legal = text(state, action), [text(state, action) for action in actions]
        state.apply_action(action)
        yield move, legal, board(state)
    return " ".join(map(str, state.returns()))
