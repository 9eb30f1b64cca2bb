"""Random games of Othello by OpenSpiel's rules. The end is +1, 0 or -1 for the first player."""

import pyspiel


def game(generator, _number):
    state = pyspiel.load_game("othello").new_initial_state()
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        chosen = generator.choice(legal)
        yield state.action_to_string(player, chosen), [state.action_to_string(player, action) for action in legal]
        state.apply_action(chosen)
    return int(state.returns()[0])
