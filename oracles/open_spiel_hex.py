"""Random games of Hex by OpenSpiel's rules. Arguments: the size, and true or false for the swap rule.

One game in four begins with a swap where there is one, as few random games do. The end is +1 or -1 for the first player.
"""

import pyspiel


def game(generator, number, size, swap):
    state = pyspiel.load_game("hex", {"board_size": int(size), "swap": swap == "true"}).new_initial_state()
    plies = 0
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        names = [state.action_to_string(player, action) for action in legal]
        chosen = generator.randrange(len(legal))
        if plies == 1 and number % 4 == 0 and "swap" in names:
            chosen = names.index("swap")
        yield names[chosen], names
        state.apply_action(legal[chosen])
        plies += 1
    return int(state.returns()[0])
