"""Random games of Othello by OpenSpiel's rules, for tesuji's tests to replay.

usage: open_spiel_othello.py GAMES SEED

For each ply one line `move | legal moves`, for each game a last line `end result`: +1, 0 or -1 for the first player.
"""

import random
import sys

import pyspiel


def main():
    games, seed = int(sys.argv[1]), int(sys.argv[2])
    generator = random.Random(seed)
    game = pyspiel.load_game("othello")
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            player, legal = state.current_player(), state.legal_actions()
            chosen = generator.choice(legal)
            names = [state.action_to_string(player, action) for action in legal]
            print(state.action_to_string(player, chosen), "|", *names)
            state.apply_action(chosen)
        print("end", int(state.returns()[0]))


main()
