"""Self-play for training: batches of games whose positions are evaluated together.

Every batch has a thread that sends it to the accelerator, waits for the evaluations and advances its games; the work itself
runs without the interpreter lock, so that some batches are evaluated while others advance. With `synchronous` there are no
threads here: games advance only while positions are asked for, and a run repeats exactly on the same machine and seed.
"""

from __future__ import annotations

import os
import queue
import threading
import time

import numpy as np

from . import SelfPlay
from .config import Play


def make(game, p: Play, *, games: int, threads: int, seed: int, simulations: int = 0) -> SelfPlay:
    """Games of self-play with these settings."""
    return SelfPlay(game, games=games, threads=threads, simulations=simulations or p.simulations, considered=p.considered,
                    visit=p.visit, scale=p.scale, longest=p.longest, decided=p.decided,
                    decided_simulations=p.decided_simulations, decided_share=p.decided_share, opening_share=p.opening_share,
                    opening_plies=p.opening_plies, seed=seed)


def threads_of(p: Play) -> int:
    return p.threads or max(1, 2 * os.cpu_count() // max(2, p.groups))


class Batch:
    """Some games in lockstep, with the arrays that hold the positions waiting for an evaluation."""

    def __init__(self, play: SelfPlay, shape, games: int):
        self.play, self.games = play, games
        self.planes = np.zeros((games, shape.planes, shape.rows, shape.columns), np.uint8)
        self.globals = np.zeros((games, shape.globals), np.float32)
        play.gather(self.planes, self.globals)
        self.tally = play.tally()
        self.evaluations, self.waited, self.played = 0, 0.0, 0.0

    def advance(self, evaluate) -> dict | None:
        """One evaluation of every game; the positions of games that ended, if any did."""
        clock = time.monotonic()
        out = evaluate(self.planes, self.globals)
        for array in out:
            array.copy_to_host_async()
        logits, values = (np.asarray(array) for array in out)
        now = time.monotonic()
        self.waited += now - clock
        self.play.step(logits, values, self.planes, self.globals)
        self.evaluations += self.games
        positions = self.play.drain()
        self.played += time.monotonic() - now
        if len(positions["outcomes"]) == 0:
            return None
        self.tally = self.play.tally()
        return positions


class Games:
    """The self-play of a run. `evaluate(planes, globals)` answers logits and values with the weights of the moment."""

    def __init__(self, game, shape, p: Play, evaluate, seed: int):
        self.evaluate, self.synchronous = evaluate, p.synchronous
        self.batches = [
            Batch(make(game, p, games=p.games, threads=threads_of(p), seed=seed * 100 + number), shape, p.games)
            for number in range(p.groups)
        ]
        self.positions: queue.Queue = queue.Queue(maxsize=20_000)
        self.stopping = threading.Event()
        self.threads = []
        if not p.synchronous:
            self.threads = [threading.Thread(target=self._advance, args=(batch,), daemon=True) for batch in self.batches]
            for thread in self.threads:
                thread.start()

    def _advance(self, batch: Batch):
        """The thread of one batch. An exception ends the run: the main thread finds it in the queue."""
        try:
            while not self.stopping.is_set():
                positions = batch.advance(self.evaluate)
                if positions is not None:
                    self.positions.put(positions)
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            self.positions.put(error)

    def take(self, enough: int, over) -> list[dict]:
        """Positions of ended games: those that wait, at most about `enough`; synchronously at least as many, unless
        `over()` says that time is up."""
        taken, count = [], 0
        if self.synchronous:
            while count < enough and not over():
                for batch in self.batches:
                    positions = batch.advance(self.evaluate)
                    if positions is not None:
                        taken.append(positions)
                        count += len(positions["outcomes"])
            return taken
        try:
            wait = 0.05
            while count < enough:
                positions = self.positions.get(timeout=wait) if wait else self.positions.get_nowait()
                if isinstance(positions, BaseException):
                    raise positions
                taken.append(positions)
                count += len(positions["outcomes"])
                wait = 0.0
        except queue.Empty:
            pass
        return taken

    def totals(self) -> dict:
        """What all batches together have done."""
        total = {name: sum(batch.tally[name] for batch in self.batches)
                 for name in ("games", "moves", "first_wins", "draws", "cut")}
        for name in ("evaluations", "waited", "played"):
            total[name] = sum(getattr(batch, name) for batch in self.batches)
        return total

    def stop(self):
        """Ends the threads."""
        self.stopping.set()
        while any(thread.is_alive() for thread in self.threads):
            try:
                self.positions.get(timeout=0.02)  # threads may wait for room
            except queue.Empty:
                pass
