"""Random games of Hex by OpenSpiel's rules, for tesuji's tests to replay.

usage: open_spiel_hex.py GAMES SEED SIZE true|false

The last argument turns the swap rule on. One game in four begins with a swap where there is one, as few random games do.
For each ply one line `move | legal moves`, for each game a last line `end result`: +1 or -1 for the first player.
"""

import random
import sys

import pyspiel


def main():
    games, seed, size, swap = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "true"
    generator = random.Random(seed)
    game = pyspiel.load_game("hex", {"board_size": size, "swap": swap})
    for number in range(games):
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            player, legal = state.current_player(), state.legal_actions()
            names = [state.action_to_string(player, action) for action in legal]
            chosen = generator.randrange(len(legal))
            if plies == 1 and number % 4 == 0 and "swap" in names:
                chosen = names.index("swap")
            print(names[chosen], "|", *names)
            state.apply_action(legal[chosen])
            plies += 1
        print("end", int(state.returns()[0]))


main()
