"""Random games of Chinese chess by OpenSpiel, for comparison:  python3 open_spiel_xiangqi.py GAMES SEED

Each game is lines "legal MOVES...", "play MOVE", "board RANKS", in turn, and in the end "over".
Squares are those of UCCI: files a-i, ranks 0-9. Exit code 3: OpenSpiel is missing.
"""

import random
import re
import sys

try:
    import pyspiel
except ImportError:
    sys.exit(3)

MOVE = re.compile(r"\((\d),(\d)\)-\((\d),(\d)\)")
LETTERS = str.maketrans("gGsSeEhH", "kKpPbBnN")


def text(state, action):
    row, column, to_row, to_column = map(int, MOVE.search(state.action_to_string(action)).groups())
    return "%s%d%s%d" % ("abcdefghi"[column], 9 - row, "abcdefghi"[to_column], 9 - to_row)


def board(state):
    return "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in str(state).split()).translate(LETTERS)


def main():
    rng = random.Random(int(sys.argv[2]))
    game = pyspiel.load_game("xiangqi")
    for _ in range(int(sys.argv[1])):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            print("legal", *(text(state, action) for action in actions))
            action = rng.choice(actions)
            print("play", text(state, action))
            state.apply_action(action)
            print("board", board(state))
        print("over", *state.returns())


main()
