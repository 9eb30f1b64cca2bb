"""Matches between two networks, and the running Elo.

A new average of the weights plays the last accepted one, every game with Gumbel noise of its own, colours alternating by
slot. All games advance together; both networks evaluate every position, and each game takes the answer of the network whose
side searches. Only the first game of a slot counts, so that short games do not count more often.

Elo (1978): a difference of D points means an expected score of 1 / (1 + 10^(−D/400)). The running Elo adds up the differences
of the accepted networks alone: its error grows with every step, and matches that are lost by chance are left out, which pushes it
upwards. It shows progress, not strength on any scale.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from . import play
from .config import Play


@dataclasses.dataclass
class Score:
    """The games of a match, seen by the first network."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        return (self.wins + 0.5 * self.draws) / max(1, self.games)

    @property
    def elo(self) -> float:
        """The difference by the score with one drawn game more, which keeps it finite."""
        share = (self.wins + 0.5 * self.draws + 0.5) / (self.games + 1)
        return 400 * math.log10(share / (1 - share))


def match(game, shape, p: Play, evaluate, one, other, *, games: int, simulations: int, seed: int) -> Score:
    """Plays `games` games between two sets of weights; `evaluate(weights, planes, globals)` answers logits and values."""
    quick = dataclasses.replace(p, decided=1.0)
    batch = play.Batch(play.make(game, quick, games=games, threads=play.threads_of(p), seed=seed, simulations=simulations),
                       shape, games)
    first = np.arange(games) % 2 == 0  # where the first network has the first player

    class Chosen:
        """The answer of one network or the other for each game, as an array of the accelerator."""

        def __init__(self, a, b, by_one):
            self.a, self.b, self.by_one = a, b, by_one

        def copy_to_host_async(self):
            self.a.copy_to_host_async()
            self.b.copy_to_host_async()

        def __array__(self, dtype=None, copy=None):
            a, b = np.asarray(self.a), np.asarray(self.b)
            return np.where(self.by_one.reshape((-1,) + (1,) * (a.ndim - 1)), a, b)

    def evaluations(planes, globals_):
        by_one = (batch.play.searching() == 0) == first
        return [Chosen(a, b, by_one) for a, b in zip(evaluate(one, planes, globals_), evaluate(other, planes, globals_))]

    while np.isnan(batch.play.first_results()).any():
        batch.advance(evaluations)
    results = np.where(first, 1, -1) * batch.play.first_results()
    return Score(int((results > 0).sum()), int((results == 0).sum()), int((results < 0).sum()))
