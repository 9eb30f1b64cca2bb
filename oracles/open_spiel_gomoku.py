"""Judges games of freestyle Gomoku by OpenSpiel's rules.

A question is one game: the size, the result for Black (1, 0 or -1), then for every move the point (row by row from the
bottom left) and the legal moves before it as a hexadecimal mask. OpenSpiel counts rows from the other side, which makes
no difference to the rules. The answer is "agrees", or the first difference.
"""

import pyspiel


def answer(question):
    size, result, *rest = question.split()
    state = pyspiel.load_game(f"gomoku(size={size},connect=5)").new_initial_state()
    for number, (move, mask) in enumerate(zip(rest[::2], rest[1::2])):
        if state.is_terminal():
            return f"ended before move {number}"
        if state.current_player() != number % 2:
            return f"another player is to move at {number}"
        legal = 0
        for action in state.legal_actions():
            legal |= 1 << action
        if legal != int(mask, 16):
            return f"legal moves differ before move {number}: {legal:x} here, {mask} there"
        state.apply_action(int(move))
    if not state.is_terminal():
        return "has not ended"
    if state.returns()[0] != float(result):
        return f"result {state.returns()[0]} here, {result} there"
    return "agrees"
