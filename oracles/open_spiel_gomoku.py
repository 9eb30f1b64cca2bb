"""Judges random games of freestyle Gomoku by OpenSpiel's rules.

Reads one game a line: the size, the result for Black (1, 0 or -1), then for every move the point (row by row
from the bottom left) and the legal moves before it as a hexadecimal mask. OpenSpiel counts rows from the
other side, which makes no difference to the rules. Prints "N games agree", or the first difference and exits with 1.

    pip install open_spiel
    TESUJI_PYTHON=python3 TESUJI_ORACLE_GAMES=2000 cargo test -p tesuji-games --test oracle_gomoku
"""

import sys

import pyspiel


def judge(line):
    """What is wrong with a game, or None."""
    size, result, *rest = line.split()
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
    return None


def main():
    games = 0
    for line in sys.stdin:
        problem = judge(line)
        if problem:
            print(f"game {games}: {problem}: {line.strip()[:200]}")
            return 1
        games += 1
    print(f"{games} games agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
