"""tesuji: games and game-tree search.

Names follow OpenSpiel's State: ``game = tesuji.load_game("go(size=9)")``, ``state = game.new_initial_state()``.
``game.agent("mcts(leaf=random)").think(state, iterations=1000)`` searches.
"""

from ._native import Agent, Game, State, load_game

__all__ = ["Agent", "Game", "State", "load_game"]
