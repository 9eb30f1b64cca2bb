"""What a network has learned of games that are solved: tic-tac-toe by all its positions, Hex by its openings.

Players search with few simulations and without proved bounds (`solver=false`), so that what they know is the network's. Beside
the trained network stand the same network before training and Monte-Carlo search with random playouts; an exam that these
pass would show nothing.

Tic-tac-toe: the player meets every optimal reply of an unlimited oracle, from either side, and must never lose. The raw policy
is asked in every open position: how often its first choice is not optimal, and how much of it lies on moves that are not.
Hex: after each opening stone the sign of the value must name the winner.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import tesuji

from . import network, weights
from .config import Config

CLASSICAL = "mcts(leaf=random,solver=false)"


class Oracle:
    """Values for the first player by exhaustive search over the rules; for small games."""

    def __init__(self, game):
        self.values: dict[tuple, float] = {}
        self.start = game.new_initial_state()
        self.value(self.start)

    @staticmethod
    def key(state) -> tuple:
        return state.hash(), state.current_player()

    def value(self, state) -> float:
        key = self.key(state)
        if key not in self.values:
            if state.is_terminal():
                self.values[key] = state.returns()[0]
            else:
                best = max if state.current_player() == 0 else min
                self.values[key] = best(self.value(state.child(action)) for action in state.legal_actions())
        return self.values[key]

    def optimal(self, state) -> list[int]:
        """The actions that keep the value."""
        worth = self.value(state)
        return [action for action in state.legal_actions() if self.value(state.child(action)) == worth]

    def open_positions(self) -> list:
        """Every position that games reach and that has not ended, once."""
        seen, waiting, found = set(), [self.start], []
        while waiting:
            state = waiting.pop()
            if self.key(state) in seen or state.is_terminal():
                continue
            seen.add(self.key(state))
            found.append(state)
            waiting += [state.child(action) for action in state.legal_actions()]
        return found


def against_optimal_replies(oracle: Oracle, choose, side: int) -> tuple[int, int]:
    """Games of a player that moves by `choose` for one side, against all optimal replies; how many end, how many are lost.
    Positions that several games reach are entered once."""
    seen, waiting, ends, losses = set(), [oracle.start], 0, 0
    while waiting:
        state = waiting.pop()
        if oracle.key(state) in seen:
            continue
        seen.add(oracle.key(state))
        if state.is_terminal():
            ends += 1
            losses += state.returns()[side] < 0
        elif state.current_player() == side:
            waiting.append(state.child(choose(state)))
        else:
            waiting += [state.child(action) for action in oracle.optimal(state)]
    return ends, losses


def raw_policy(oracle: Oracle, agent) -> dict:
    """The first choice and the weight of the network's own policy, over all open positions."""
    wrong, misplaced, positions = 0, 0.0, oracle.open_positions()
    for state in positions:
        good = set(oracle.optimal(state))
        priors = {entry["action"]: entry["prior"] for entry in agent.think(state, iterations=1)["actions"]}
        wrong += max(priors, key=priors.get) not in good
        misplaced += sum(prior for action, prior in priors.items() if action not in good)
    return {"positions": len(positions), "policy_wrong": wrong, "policy_misplaced": round(misplaced / len(positions), 4)}


def untrained(config: Config, game) -> bytes:
    """A weight file of the configuration's network as training begins."""
    shape = network.Shape(*game.tensor_shape())
    return weights.encode(network.initial(shape, config.net, config.seed), shape, config.net, game.encoding(), "untrained")


def by_positions(game, players: dict[str, str], simulations: int, seed: int):
    """The exam of small games; one line for each player. The first one must pass, the others must not."""
    oracle = Oracle(game)
    for name, spec in players.items():
        agent = game.agent(spec)
        line = {"player": name, "simulations": simulations}
        for side, title in enumerate(("first", "second")):
            ends, losses = against_optimal_replies(
                oracle, lambda state: agent.think(state, iterations=simulations, seed=seed)["action"], side)
            line[f"ends_as_{title}"], line[f"losses_as_{title}"] = ends, losses
        if spec != CLASSICAL:
            line.update(raw_policy(oracle, agent))
        line["passed"] = line["losses_as_first"] + line["losses_as_second"] == 0
        yield line


def by_openings(game, players: dict[str, str], simulations: int, seed: int, winners: str | None = None):
    """The exam of Hex: `winners` has a B for each first move that wins, else a dot; by default the solver's answers."""
    start = game.new_initial_state()
    openings = [start.child(action) for action in start.legal_actions()]
    if winners is None:
        solver = game.agent("hex-solver")
        winners = "".join(".B"[solver.think(state)["bounds"][0] > 0] for state in openings)
    if len(winners) != len(openings):
        raise SystemExit(f"{len(winners)} openings are given, the board has {len(openings)}")
    for name, spec in players.items():
        agent = game.agent(spec)
        said = "".join(".B"[agent.think(state, iterations=simulations, seed=seed)["value"] > 0] for state in openings)
        right = sum(a == b for a, b in zip(said, winners))
        yield {"player": name, "simulations": simulations, "openings": len(openings), "right": right, "said": said,
               "passed": right == len(openings)}


def read_openings(path: Path, size: int) -> str:
    """The winners of all openings of a board, from a file like `openings_2x2_to_6x6.json`."""
    try:
        return "".join(json.loads(path.read_text())["openings"][str(size)])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{path} has no openings of a board of {size} rows: {error}") from None


def examine(config: Config, file: Path, simulations: int = 64, seed: int = 1, openings: Path | None = None) -> list[dict]:
    """The lines of the exam of a configuration's game."""
    game = tesuji.load_game(config.game)
    with tempfile.TemporaryDirectory() as folder:
        random_weights = Path(folder) / "untrained.tzw"
        random_weights.write_bytes(untrained(config, game))
        quoted = {"trained": file, "untrained": random_weights}
        players = {name: f"zero(weights={json.dumps(str(path))},solver=false)" for name, path in quoted.items()}
        players["mcts"] = CLASSICAL
        if str(game).startswith("hex("):
            size = game.tensor_shape()[1]
            winners = read_openings(openings, size) if openings else None
            return list(by_openings(game, players, simulations, seed, winners))
        if str(game).startswith("tictactoe"):
            return list(by_positions(game, players, simulations, seed))
    raise SystemExit(f"there is no exam of {game}: tictactoe and hex have one")
