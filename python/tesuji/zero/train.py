"""Training: self-play by tesuji's rules and search, evaluations and updates by JAX, on a processor or one accelerator.

One loop does everything. Batches of self-play take turns: while the accelerator evaluates one, the processor advances
another. Positions of ended games enter the replay window; for every new position the weights get `passes / batch` updates. Self-play
uses the moving average of the weights, renewed after every round of updates.

A run can be stopped at any moment (a signal, the end of `minutes`) and goes on from its last checkpoint.
"""

from __future__ import annotations

import functools
import json
import math
import os
import signal
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

        def one(state, ring, filled, key, rate):
            drawn, turned = jax.random.split(key)
            index = jax.random.randint(drawn, (t.batch,), 0, filled)
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
        def updates(state, ring, filled, key, rates):
            def body(state, inputs):
                return one(state, ring, filled, *inputs)

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
        p, threads = self.config.play, self.config.play.threads or os.cpu_count()
        self.groups = []
        for number in range(p.groups):
            seed = (self.config.seed * 1_000 + self.facts["runs"]) * 100 + number
            play = SelfPlay(self.game, games=p.games, threads=threads, simulations=p.simulations, considered=p.considered,
                            visit=p.visit, scale=p.scale, longest=p.longest, seed=seed)
            planes = np.zeros((p.games, self.shape.planes, self.shape.rows, self.shape.columns), np.uint8)
            globals_ = np.zeros((p.games, self.shape.globals), np.float32)
            play.gather(planes, globals_)
            group = {"play": play, "planes": planes, "globals": globals_, "tally": play.tally()}
            self.groups.append(group)
            self.dispatch(group)

    def dispatch(self, group):
        """Sends a batch to the accelerator; does not wait."""
        group["out"] = self.infer(self.playing, group["planes"], group["globals"])
        for array in group["out"]:
            array.copy_to_host_async()

    def take(self, group) -> int:
        """Moves positions of ended games into the window. How many."""
        positions = group["play"].drain()
        count = len(positions["outcomes"])
        if count:
            share = self.config.train.searched_share
            values = (1 - share) * positions["outcomes"] + share * positions["searched"]
            self.replay.add({
                "planes": positions["planes"].reshape(count, self.shape.planes, self.shape.cells),
                "globals": positions["globals"], "policies": positions["policies"].astype(np.float16),
                "values": values, "owners": positions["owners"].reshape(count, self.shape.cells),
            })
        return count

    def train(self, minutes: float, save_every: float = 60.0, report_every: float = 10.0, most_positions: int = 0,
              window_file: Path | None = None):
        """Trains until the time is up, `most_positions` are played, or a signal asks to stop."""
        stop = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: stop.append(True))
        if window_file and Path(window_file).exists():
            self.replay.load(window_file)
        self.begin_play()
        begin = saved = reported = time.monotonic()
        spent = {"play": 0.0, "wait": 0.0, "train": 0.0, "take": 0.0}
        due, figures, positions_before = 0.0, [], self.facts["positions"]
        base = self.facts["seconds"]
        mark = {"positions": self.facts["positions"], "evaluations": self.facts["evaluations"], "games": self.facts["games"],
                "moves": 0, "first": 0, "cut": 0, "step": self.step, **spent}
        counts = {"moves": 0, "first": 0, "cut": 0}
        t = self.config.train
        while True:
            for group in self.groups:
                clock = time.monotonic()
                logits, values = (np.asarray(array) for array in group["out"])
                now = time.monotonic()
                spent["wait"] += now - clock
                group["play"].step(logits, values, group["planes"], group["globals"])
                clock = time.monotonic()
                spent["play"] += clock - now
                self.dispatch(group)
                new = self.take(group)
                self.facts["positions"] += new
                self.facts["evaluations"] += len(values)
                now = time.monotonic()
                spent["take"] += now - clock
                if self.replay.filled >= min(t.minimum, self.replay.size):
                    due += new * t.passes / t.batch
                trained = False
                while due >= UPDATES_AT_A_TIME:
                    due -= UPDATES_AT_A_TIME
                    self.key, key = jax.random.split(self.key)
                    rates = jnp.asarray([learning_rate(self.config, self.step + i) for i in range(UPDATES_AT_A_TIME)], jnp.float32)
                    self.state, means = self.updates(self.state, self.replay.ring, self.replay.filled, key, rates)
                    self.step += UPDATES_AT_A_TIME
                    figures.append(means)
                    trained = True
                if trained:
                    self.renew()
                spent["train"] += time.monotonic() - now
            now = time.monotonic()
            self.facts["seconds"] = base + now - begin
            over = bool(stop) or now - begin >= minutes * 60
            over = over or bool(most_positions) and self.facts["positions"] - positions_before >= most_positions
            if now - reported >= report_every or over:
                for group in self.groups:
                    tally = group["play"].tally()
                    before, group["tally"] = group["tally"], tally
                    self.facts["games"] += tally["games"] - before["games"]
                    counts["moves"] += tally["moves"] - before["moves"]
                    counts["first"] += tally["first_wins"] - before["first_wins"]
                    counts["cut"] += tally["cut"] - before["cut"]
                taken = now - reported
                names = ("policy_loss", "policy_entropy", "value_loss", "owner_loss", "agrees", "value_right", "gradient")
                means = np.mean([np.asarray(f) for f in figures], axis=0).tolist() if figures else [float("nan")] * 7
                games = self.facts["games"] - mark["games"]
                self.record(
                    seconds=self.facts["seconds"], positions=self.facts["positions"], games=self.facts["games"], step=self.step,
                    rate=learning_rate(self.config, self.step), window=self.replay.filled,
                    positions_per_second=round((self.facts["positions"] - mark["positions"]) / taken),
                    evaluations_per_second=round((self.facts["evaluations"] - mark["evaluations"]) / taken),
                    updates_per_second=(self.step - mark["step"]) / taken,
                    length=(counts["moves"] - mark["moves"]) / max(1, games), first_wins=(counts["first"] - mark["first"]) / max(1, games),
                    cut=(counts["cut"] - mark["cut"]) / max(1, games),
                    **{f"{name}_share": (spent[name] - mark[name]) / taken for name in spent},
                    **{name: None if math.isnan(v) else v for name, v in zip(names, means)},
                )
                figures = []
                mark = {"positions": self.facts["positions"], "evaluations": self.facts["evaluations"], "games": self.facts["games"],
                        "step": self.step, **counts, **spent}
                reported = now
            if now - saved >= save_every or over:
                self.save()
                saved = time.monotonic()
            if over:
                if window_file:
                    self.replay.save(window_file)
                return
