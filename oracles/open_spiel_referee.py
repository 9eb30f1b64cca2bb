"""Referee of whole games by OpenSpiel's rules.

A question is `GAME|RESULT|MOVES`: the game as OpenSpiel loads it, the result for the first player (1, 0 or -1), and the
moves as players write them. The answer is "agrees", or the first difference.
"""

import pyspiel


def action_of(state, name, move):
    """The legal action that a move means, if it is one."""
    if name == "gomoku":
        side = int(round(state.num_distinct_actions() ** 0.5))
        action = (int(move[1:]) - 1) * side + ord(move[0]) - ord("a")
        return action if action in state.legal_actions() else None
    player = state.current_player()
    texts = {state.action_to_string(player, action).split()[-1].lower(): action for action in state.legal_actions()}
    return texts.get(move.lower())


def answer(question):
    name, result, moves = question.split("|")
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for number, move in enumerate(moves.split(), 1):
        if state.is_terminal():
            return f"the game has ended before move {number}, {move}"
        action = action_of(state, game.get_type().short_name, move)
        if action is None:
            return f"move {number}, {move}, is not legal"
        state.apply_action(action)
    if not state.is_terminal():
        return "the game has not ended"
    if state.returns()[0] != float(result):
        return f"the result is {state.returns()[0]}, not {result}"
    return "agrees"
