"""Training: self-play by tesuji's rules and search, evaluations and updates by JAX, on a processor or one accelerator.

Every batch of self-play has a thread that sends it to the accelerator, waits for the evaluations and advances its games; the
work itself runs without the interpreter lock, so that some batches are evaluated while others advance. The main thread moves
positions of ended games into the replay window and updates the weights, `passes / batch` times for every new position. Self-play uses
the moving average of the weights, renewed after every round of updates.

A run can be stopped at any moment (a signal, the end of `minutes`) and goes on from its last checkpoint.
"""

from __future__ import annotations

import functools
import json
import math
import os
import queue
import signal
import threading
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import tesuji

from . import SelfPlay, checkpoint, network, optimizer, weights
from .config import Config
from .replay import Replay

UPDATES_AT_A_TIME = 8


def learning_rate(config: Config, step: int) -> float:
    """A linear warm-up, then a cosine from `rate` to `final_rate`, then constant."""
    t = config.train
    if step < t.warmup:
        return t.rate * (step + 1) / t.warmup
    part = min(1.0, (step - t.warmup) / max(1, t.horizon - t.warmup))
    return t.final_rate + (t.rate - t.final_rate) * 0.5 * (1 + math.cos(math.pi * part))


class Trainer:
    """A training run in a folder."""

    def __init__(self, config: Config, out: Path, log=print):
        self.config, self.out, self.log = config, Path(out), log
        self.out.mkdir(parents=True, exist_ok=True)
        self.game = tesuji.load_game(config.game)
        self.shape = network.Shape(*self.game.tensor_shape())
        self.dtype = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16
        self.facts = {"config": config.table(), "game": str(self.game), "encoding": self.game.encoding(),
                      "positions": 0, "games": 0, "evaluations": 0, "seconds": 0.0, "runs": 0}
        path = self.out / "checkpoint.npz"
        if path.exists():
            state, facts = checkpoint.load(path)
            if facts["game"] != str(self.game) or facts["encoding"] != self.game.encoding():
                raise SystemExit(f"{path} belongs to {facts['game']} ({facts['encoding']})")
            wanted = dict(network.tensors(self.shape, config.net))
            if {name: value.shape for name, value in state["params"].items()} != wanted:
                raise SystemExit(f"{path} has another network than the configuration")
            self.facts.update({name: facts[name] for name in ("positions", "games", "evaluations", "seconds", "runs")})
            self.state = jax.tree.map(jnp.asarray, state)
        else:
            params = network.initial(self.shape, config.net, config.seed)
            self.state = optimizer.initial(jax.tree.map(jnp.asarray, params))
        self.facts["runs"] += 1
        self.step = int(self.state["step"])
        cells, moves = self.game.symmetries()
        self.symmetries = (jnp.asarray(cells.astype(np.int32)), jnp.asarray(moves.astype(np.int32)))
        self.replay = Replay(self.shape, config.train.window, config.train.chunk)
        self.key = jax.random.key(config.seed * 1_000_003 + self.facts["runs"])
        self.make_functions()
        self.renew()

    def make_functions(self):
        config, shape, blocks, dtype = self.config, self.shape, self.config.net.blocks, self.dtype
        t = config.train
        cells_of, moves_of = self.symmetries

        @jax.jit
        def infer(params, planes, globals_):
            logits, value, _ = network.apply(params, shape, blocks, planes, globals_, dtype)
            return logits, jnp.tanh(value * 0.5)

        def loss(params, planes, globals_, policies, values, owners):
            planes = planes.reshape(-1, shape.planes, shape.rows, shape.columns)
            logits, value, owned = network.apply(params, shape, blocks, planes, globals_, dtype)
            log_p = jax.nn.log_softmax(logits)
            entropy = -jnp.mean(jnp.sum(jnp.where(policies > 0, policies * jnp.log(jnp.maximum(policies, 1e-9)), 0), -1))
            policy_loss = -jnp.mean(jnp.sum(policies * log_p, -1))
            chance = (values + 1) * 0.5
            value_loss = jnp.mean(jax.nn.softplus(value) - chance * value)
            owner_loss = jnp.mean((owned - owners) ** 2)
            total = t.policy_weight * policy_loss + t.value_weight * value_loss + t.owner_weight * owner_loss
            agrees = jnp.mean(jnp.argmax(logits, -1) == jnp.argmax(policies, -1))
            right = jnp.mean((value > 0) == (values > 0))
            return total, jnp.stack([policy_loss, entropy, value_loss, owner_loss, agrees, right])

        def one(state, ring, span, key, rate):
            drawn, turned = jax.random.split(key)
            end, recent, size = span
            index = (end - 1 - jax.random.randint(drawn, (t.batch,), 0, recent)) % size
            which = jax.random.randint(turned, (t.batch,), 0, cells_of.shape[0])
            planes = jnp.take_along_axis(ring["planes"][index], cells_of[which][:, None, :], -1)
            policies = jnp.take_along_axis(ring["policies"][index].astype(jnp.float32), moves_of[which], -1)
            owners = jnp.take_along_axis(ring["owners"][index].astype(jnp.float32), cells_of[which], -1)
            rest = (planes, ring["globals"][index], policies, ring["values"][index], owners)
            (_, figures), gradients = jax.value_and_grad(loss, has_aux=True)(state["params"], *rest)
            state, size = optimizer.update(
                state, gradients, rate, weight_decay=t.weight_decay, clip=t.clip, average=t.average
            )
            return state, jnp.append(figures, size)

        @functools.partial(jax.jit, donate_argnums=0)
        def updates(state, ring, span, key, rates):
            def body(state, inputs):
                return one(state, ring, span, *inputs)

            state, figures = jax.lax.scan(body, state, (jax.random.split(key, UPDATES_AT_A_TIME), rates))
            return state, jnp.mean(figures, axis=0)

        self.infer, self.updates = infer, updates
        self.cast = jax.jit(lambda params: jax.tree.map(lambda p: p.astype(dtype), params))

    def renew(self):
        """Self-play goes on with the weights as they are now."""
        self.playing = self.cast(self.state["average"])

    def save(self):
        """Writes checkpoint.npz and weights.tzw."""
        state = jax.device_get(self.state)
        checkpoint.save(self.out / "checkpoint.npz", state, self.facts)
        f = self.facts
        note = (f"{f['game']}; {f['positions']} positions, {f['games']} games, {self.step} updates, "
                f"{f['seconds'] / 3600:.2f} hours")
        args = (state["average"], self.shape, self.config.net, self.facts["encoding"], note)
        weights.save(self.out / "weights.tzw", *args)

    def record(self, **figures):
        line = json.dumps({name: round(v, 5) if isinstance(v, float) else v for name, v in figures.items()})
        with open(self.out / "log.jsonl", "a") as file:
            file.write(line + "\n")
        self.log(line)

    def begin_play(self):
        """Starts the threads of self-play."""
        p = self.config.play
        threads = p.threads or max(1, 2 * os.cpu_count() // max(2, p.groups))
        self.positions: queue.Queue = queue.Queue(maxsize=20_000)
        self.groups, self.stopping = [], threading.Event()
        for number in range(p.groups):
            seed = (self.config.seed * 1_000 + self.facts["runs"]) * 100 + number
            play = SelfPlay(self.game, games=p.games, threads=threads, simulations=p.simulations, considered=p.considered,
                            visit=p.visit, scale=p.scale, longest=p.longest, decided=p.decided,
                            decided_simulations=p.decided_simulations, decided_share=p.decided_share, seed=seed)
            group = {"play": play, "tally": play.tally(), "evaluations": 0, "waited": 0.0, "played": 0.0}
            group["thread"] = threading.Thread(target=self.play, args=(group,), daemon=True)
            self.groups.append(group)
        for group in self.groups:
            group["thread"].start()

    def play(self, group):
        """The thread of one batch. An exception ends the run: the main thread finds it in the queue."""
        try:
            games = self.config.play.games
            planes = np.zeros((games, self.shape.planes, self.shape.rows, self.shape.columns), np.uint8)
            globals_ = np.zeros((games, self.shape.globals), np.float32)
            group["play"].gather(planes, globals_)
            while not self.stopping.is_set():
                clock = time.monotonic()
                out = self.infer(self.playing, planes, globals_)
                for array in out:
                    array.copy_to_host_async()
                logits, values = (np.asarray(array) for array in out)
                now = time.monotonic()
                group["waited"] += now - clock
                group["play"].step(logits, values, planes, globals_)
                group["evaluations"] += games
                positions = group["play"].drain()
                if len(positions["outcomes"]):
                    group["tally"] = group["play"].tally()
                    self.positions.put(positions)
                group["played"] += time.monotonic() - now
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            self.positions.put(error)

    def take(self, positions) -> int:
        """Moves positions of ended games into the window. How many."""
        if isinstance(positions, BaseException):
            raise positions
        count = len(positions["outcomes"])
        share = self.config.train.searched_share
        values = (1 - share) * positions["outcomes"] + share * positions["searched"]
        self.replay.add({
            "planes": positions["planes"].reshape(count, self.shape.planes, self.shape.cells),
            "globals": positions["globals"], "policies": positions["policies"].astype(np.float16),
            "values": values, "owners": positions["owners"].reshape(count, self.shape.cells),
        })
        return count

    def recent(self) -> int:
        """How many of the newest positions are drawn from: a window that grows more slowly than the run (Wu 2019, §C)."""
        c, alpha, beta = 250_000.0, 0.75, 0.4
        n = max(c, float(self.facts["positions"]))
        return max(1, min(self.replay.filled, int(c * (1 + beta * ((n / c) ** alpha - 1) / alpha))))

    def totals(self) -> dict:
        """What all batches together have done in this run."""
        tallies = [group["tally"] for group in self.groups]
        total = {name: sum(tally[name] for tally in tallies) for name in ("games", "moves", "first_wins", "draws", "cut")}
        for name in ("evaluations", "waited", "played"):
            total[name] = sum(group[name] for group in self.groups)
        return total

    def train(self, minutes: float, save_every: float = 60.0, report_every: float = 10.0, most_positions: int = 0,
              window_file: Path | None = None):
        """Trains until the time is up, `most_positions` are played, or a signal asks to stop."""
        stop = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: stop.append(True))
        if window_file and Path(window_file).exists():
            self.replay.load(window_file)
        base = {name: self.facts[name] for name in ("positions", "games", "evaluations", "seconds")}
        self.begin_play()
        begin = saved = reported = time.monotonic()
        mark = {**self.totals(), "positions": self.facts["positions"], "step": self.step, "training": 0.0}
        due, figures, training = 0.0, [], 0.0
        t = self.config.train
        while True:
            new = 0
            try:
                new = self.take(self.positions.get(timeout=0.05))
                while not self.positions.empty() and new < t.chunk:
                    new += self.take(self.positions.get())
            except queue.Empty:
                pass
            self.facts["positions"] += new
            clock = time.monotonic()
            if self.replay.filled >= min(t.minimum, self.replay.size):
                due += new * t.passes / t.batch
            trained = False
            while due >= UPDATES_AT_A_TIME:
                due -= UPDATES_AT_A_TIME
                self.key, key = jax.random.split(self.key)
                rates = np.array([learning_rate(self.config, self.step + i) for i in range(UPDATES_AT_A_TIME)], np.float32)
                span = (self.replay.at, self.recent(), self.replay.size)
                self.state, means = self.updates(self.state, self.replay.ring, span, key, rates)
                self.step += UPDATES_AT_A_TIME
                figures.append(means)
                trained = True
            if trained:
                self.renew()
                jax.block_until_ready(self.playing)  # one round of updates at a time
            now = time.monotonic()
            training += now - clock
            total = self.totals()
            self.facts["seconds"] = base["seconds"] + now - begin
            for name in ("games", "evaluations"):
                self.facts[name] = base[name] + total[name]
            over = bool(stop) or now - begin >= minutes * 60
            over = over or bool(most_positions) and self.facts["positions"] - base["positions"] >= most_positions
            if now - reported >= report_every or over:
                self.report({**total, "positions": self.facts["positions"], "step": self.step, "training": training},
                            mark, now - reported, figures)
                mark = {**total, "positions": self.facts["positions"], "step": self.step, "training": training}
                figures, reported = [], now
            if now - saved >= save_every or over:
                self.save()
                saved = time.monotonic()
            if over:
                break
        self.stopping.set()
        while any(group["thread"].is_alive() for group in self.groups):
            try:
                self.positions.get(timeout=0.02)  # threads may wait for room
            except queue.Empty:
                pass
        if window_file:
            self.replay.save(window_file)

    def report(self, now: dict, before: dict, taken: float, figures: list):
        """One line of the learning log."""
        done = {name: now[name] - before[name] for name in now}
        names = ("policy_loss", "policy_entropy", "value_loss", "owner_loss", "agrees", "value_right", "gradient")
        means = np.mean([np.asarray(f) for f in figures], axis=0).tolist() if figures else [None] * 7
        games, groups = max(1, done["games"]), len(self.groups)
        self.record(
            seconds=self.facts["seconds"], positions=self.facts["positions"], games=self.facts["games"], step=self.step,
            rate=learning_rate(self.config, self.step), window=self.recent(),
            positions_per_second=round(done["positions"] / taken), evaluations_per_second=round(done["evaluations"] / taken),
            updates_per_second=done["step"] / taken, length=done["moves"] / games, first_wins=done["first_wins"] / games,
            draws=done["draws"] / games, cut=done["cut"] / games,
            waited_share=done["waited"] / taken / groups, played_share=done["played"] / taken / groups,
            training_share=done["training"] / taken, **dict(zip(names, means)),
        )
