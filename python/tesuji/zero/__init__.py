"""Players that learn a game from its rules alone, by self-play (Silver et al. 2018; Danihelka et al. 2022).

``python -m tesuji.zero train go9 --out runs/go9`` trains, ``python -m tesuji.zero export`` writes the weights that the
engine plays with. Rules, search and self-play are tesuji's own (``SelfPlay``); the network is trained in JAX.
"""

from tesuji._native import SelfPlay

__all__ = ["SelfPlay"]
