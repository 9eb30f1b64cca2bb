"""tesuji: games and game-tree search.

Names follow OpenSpiel's State: ``game = tesuji.load_game("go(size=9)")``, ``state = game.new_initial_state()``.
"""

from ._native import Game, State, load_game

__all__ = ["Game", "State", "load_game"]
