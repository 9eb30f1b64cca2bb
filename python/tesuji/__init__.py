"""tesuji: games and game-tree search.

Names follow OpenSpiel's:

>>> import tesuji
>>> game = tesuji.load_game("tictactoe")
>>> state = game.new_initial_state()
>>> state.apply_action(4)
>>> state.current_player(), len(state.legal_actions())
(1, 8)

Searches, solvers and matches are those of the command line, with the same texts:

>>> report = state.think("mcts", iterations=1000, seed=1)
>>> report.action in state.legal_actions()
True
>>> state.solve("df-pn").status
'draw'

====================  =====================================================================
``tesuji.lab``        experiments, here or on a Ray cluster (``python -m tesuji.lab``)
``tesuji.zero``       players that learn a game by self-play (needs JAX)
``tesuji.pettingzoo``  environments of PettingZoo for every game
``tesuji.gymnasium``  a Gymnasium environment against a fixed opponent; many games at once
``tesuji.openspiel``  our games as games of OpenSpiel
====================  =====================================================================
"""

import atexit as _atexit
import os as _os

from . import _native
from ._native import (
    Agent,
    Checked,
    Game,
    MatchResult,
    Network,
    Node,
    PlayedGame,
    Proof,
    ProofNode,
    Report,
    RootAction,
    State,
    VectorState,
    load_game,
    match,
    python_game,
    registered_names,
)

__all__ = [
    "Agent",
    "Checked",
    "Game",
    "MatchResult",
    "Network",
    "Node",
    "PlayedGame",
    "Proof",
    "ProofNode",
    "Report",
    "RootAction",
    "State",
    "VectorState",
    "load_game",
    "match",
    "python_game",
    "registered_names",
]

# Searches end before the interpreter does, and a forked process has none.
_atexit.register(_native._stop_all)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_native._forked)
