"""Training: self-play by tesuji's rules and search, evaluations and updates by JAX, on a processor or one accelerator.

Self-play (play.py) delivers the positions of ended games. They enter the replay window, and the weights are updated
`passes / batch` times for every new position. Self-play uses the moving average of the weights, renewed after every round of
updates. From time to time the average plays a match against the last accepted one (gate.py): if it scores at least half, it is
accepted and becomes `weights.tzw`; if not, the log says so, and training goes on.

A run can be stopped at any moment (a signal, the end of `minutes`, a kill) and goes on from its last checkpoint. If a checkpoint
cannot be written (a full disk), the last one stays as it was, training goes on and tries again; the run fails if its last one
cannot be written.
"""

from __future__ import annotations

import functools
import json
import math
import signal
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import tesuji

from . import checkpoint, gate, network, optimizer, weights
from .config import Config
from .play import Games
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
                      "positions": 0, "games": 0, "evaluations": 0, "seconds": 0.0, "runs": 0, "elo": 0.0, "gate_step": 0}
        path = self.out / "checkpoint.npz"
        if path.exists():
            state, facts = checkpoint.load(path)
            if facts["game"] != str(self.game) or facts["encoding"] != self.game.encoding():
                raise SystemExit(f"{path} belongs to {facts['game']} ({facts['encoding']}), this run to {self.game} "
                                 f"({self.game.encoding()}): name another folder")
            self.check_sizes(path, state)
            kept = ("positions", "games", "evaluations", "seconds", "runs", "elo", "gate_step")
            self.facts.update({name: facts[name] for name in kept if name in facts})
            self.accepted = jax.tree.map(jnp.asarray, state.pop("gate"))
            self.state = jax.tree.map(jnp.asarray, state)
        else:
            params = network.initial(self.shape, config.net, config.seed)
            self.state = optimizer.initial(jax.tree.map(jnp.asarray, params))
            self.accepted = jax.tree.map(jnp.copy, self.state["average"])
        self.facts["runs"] += 1
        self.step = int(self.state["step"])
        cells, moves = self.game.symmetries()
        self.symmetries = (jnp.asarray(cells.astype(np.int32)), jnp.asarray(moves.astype(np.int32)))
        self.replay = Replay(self.shape, config.train.window, config.train.chunk)
        self.key = jax.random.key(config.seed * 1_000_003 + self.facts["runs"])
        self.make_functions()
        self.renew()

    def check_sizes(self, path: Path, state: dict):
        """Refuses a checkpoint of another network."""
        wanted = dict(network.tensors(self.shape, self.config.net))
        for part in ("params", "average", "gate", "first", "second"):
            found = {name: value.shape for name, value in state[part].items()}
            for name in sorted(wanted.keys() | found.keys()):
                if wanted.get(name) != found.get(name):
                    raise SystemExit(f"{path} has another network than the configuration: {part}/{name} is "
                                     f"{found.get(name, 'missing')}, the configuration wants {wanted.get(name, 'none')}")

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

        single = jax.jit(one, donate_argnums=0)

        def updates_in_turn(state, ring, span, key, rates):
            figures = []
            for key, rate in zip(jax.random.split(key, UPDATES_AT_A_TIME), rates):
                state, means = single(state, ring, span, key, rate)
                figures.append(means)
            return state, sum(figures) / len(figures)

        # On a processor convolutions inside a loop of XLA take many times as long (measured: 420 ms instead of
        # 31 ms an update for Hex 5×5); on an accelerator the loop saves the dispatch of each update.
        if jax.default_backend() == "cpu":
            updates = updates_in_turn
        self.infer, self.updates = infer, updates
        self.cast = jax.jit(lambda params: jax.tree.map(lambda p: p.astype(dtype), params))

    def renew(self):
        """Self-play goes on with the weights as they are now."""
        self.playing = self.cast(self.state["average"])

    def save(self) -> bool:
        """Writes checkpoint.npz and weights.tzw. Whether it could; if not, the files are as they were."""
        state = jax.device_get({**self.state, "gate": self.accepted})
        f = self.facts
        note = (f"{f['game']}; {f['positions']} positions, {f['games']} games, {f['gate_step'] or self.step} updates, "
                f"{f['seconds'] / 3600:.2f} hours")
        args = (state["gate"] if self.config.gate.games else state["average"], self.shape, self.config.net, f["encoding"], note)
        try:
            checkpoint.save(self.out / "checkpoint.npz", state, self.facts)
            weights.save(self.out / "weights.tzw", *args)
        except OSError as error:
            print(f"tesuji.zero: {self.out} could not be written ({error.strerror}); the last checkpoint there is whole",
                  file=sys.stderr, flush=True)
            return False
        return True

    def record(self, **figures):
        """One line of the learning log. A full disk costs the line, not the run."""
        line = json.dumps({name: round(v, 5) if isinstance(v, float) else v for name, v in figures.items()})
        self.log(line)
        try:
            with open(self.out / "log.jsonl", "a") as file:
                file.write(line + "\n")
        except OSError as error:
            print(f"tesuji.zero: {self.out}/log.jsonl could not be written ({error.strerror})", file=sys.stderr, flush=True)

    def add(self, positions: dict) -> int:
        """Moves positions of ended games into the window. How many."""
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

    def update(self) -> np.ndarray:
        """One round of updates; the means of its figures."""
        self.key, key = jax.random.split(self.key)
        rates = np.array([learning_rate(self.config, self.step + i) for i in range(UPDATES_AT_A_TIME)], np.float32)
        span = (self.replay.at, self.recent(), self.replay.size)
        self.state, means = self.updates(self.state, self.replay.ring, span, key, rates)
        self.step += UPDATES_AT_A_TIME
        return means

    def try_gate(self):
        """A match of the average against the last accepted weights; the Elo counts accepted ones."""
        g = self.config.gate
        score = gate.match(self.game, self.shape, self.config.play, self.infer, self.playing, self.cast(self.accepted),
                           games=g.games, simulations=g.simulations, seed=self.config.seed * 7_919 + self.step)
        passed = score.share >= 0.5
        if passed:
            self.accepted = jax.tree.map(jnp.copy, self.state["average"])
            self.facts["elo"] += score.elo
        self.facts["gate_step"] = self.step if passed else self.facts["gate_step"]
        self.tried = self.step
        self.record(seconds=self.facts["seconds"], positions=self.facts["positions"], step=self.step, gate="passed" if passed else
                    "failed", wins=score.wins, draws=score.draws, losses=score.losses, elo_gain=score.elo, elo=self.facts["elo"])

    def train(self, minutes: float, save_every: float = 60.0, report_every: float = 10.0, most_positions: int = 0,
              window_file: Path | None = None):
        """Trains until the time is up, `most_positions` new ones or `train.positions` in all are played, or a signal asks to stop."""
        stop = []
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: stop.append(True))
        if window_file and Path(window_file).exists():
            self.replay.load(window_file)
        t, g = self.config.train, self.config.gate
        base = {name: self.facts[name] for name in ("positions", "games", "evaluations", "seconds")}
        games = Games(self.game, self.shape, self.config.play, lambda *tensors: self.infer(self.playing, *tensors),
                      self.config.seed * 1_000 + self.facts["runs"])
        begin = saved = reported = time.monotonic()
        mark = {**games.totals(), "positions": self.facts["positions"], "step": self.step, "training": 0.0}
        due, figures, training = 0.0, [], 0.0
        self.tried = self.facts["gate_step"]

        def over() -> bool:
            return bool(stop) or time.monotonic() - begin >= minutes * 60

        while True:
            new = sum(self.add(positions) for positions in games.take(t.chunk, over))
            self.facts["positions"] += new
            clock = time.monotonic()
            if self.replay.filled >= min(t.minimum, self.replay.size):
                due += new * t.passes / t.batch
            trained = False
            while due >= UPDATES_AT_A_TIME:
                due -= UPDATES_AT_A_TIME
                figures.append(self.update())
                trained = True
            if trained:
                self.renew()
                jax.block_until_ready(self.playing)  # one round of updates at a time
            now = time.monotonic()
            training += now - clock
            total = games.totals()
            self.facts["seconds"] = base["seconds"] + now - begin
            for name in ("games", "evaluations"):
                self.facts[name] = base[name] + total[name]
            if g.games and self.step - self.tried >= g.every:
                self.try_gate()
            played = self.facts["positions"]
            ends = over() or 0 < most_positions <= played - base["positions"] or 0 < t.positions <= played
            if now - reported >= report_every or ends:
                after = {**total, "positions": self.facts["positions"], "step": self.step, "training": training}
                self.report(after, mark, now - reported, figures, len(games.batches))
                mark, figures, reported = after, [], now
            if ends:
                break
            if now - saved >= save_every:
                self.save()
                saved = time.monotonic()
        games.stop()
        if g.games and self.step > self.tried:
            self.try_gate()
        if not self.save():
            raise SystemExit(1)
        if window_file:
            self.replay.save(window_file)

    def report(self, now: dict, before: dict, taken: float, figures: list, batches: int):
        """One line of the learning log."""
        done = {name: now[name] - before[name] for name in now}
        names = ("policy_loss", "policy_entropy", "value_loss", "owner_loss", "agrees", "value_right", "gradient")
        means = np.mean([np.asarray(f) for f in figures], axis=0).tolist() if figures else [None] * 7
        games, taken = max(1, done["games"]), max(taken, 1e-9)
        self.record(
            seconds=self.facts["seconds"], positions=self.facts["positions"], games=self.facts["games"], step=self.step,
            rate=learning_rate(self.config, self.step), window=self.recent(),
            positions_per_second=round(done["positions"] / taken), evaluations_per_second=round(done["evaluations"] / taken),
            updates_per_second=done["step"] / taken, length=done["moves"] / games, first_wins=done["first_wins"] / games,
            draws=done["draws"] / games, cut=done["cut"] / games,
            waited_share=done["waited"] / taken / batches, played_share=done["played"] / taken / batches,
            training_share=done["training"] / taken, **dict(zip(names, means)),
        )
