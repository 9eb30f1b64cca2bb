"""Speed of the Python package beside OpenSpiel's Python API: `python python/bench/speed.py [--rounds 7] [--program tesuji]`.

Seconds are processor time, and both sides run in turn, in one process, so that other work on the machine matters little; the table has the
median of the rounds and its range, and that of the ratios of each round. A step is: the legal actions, a random choice among them, the action, whether the
game has ended. "Python alone" is the same loop with lists made before and no game: no package can be faster. Steps of several threads are
measured by the clock, beside OpenSpiel's loop by the clock. Needs open_spiel.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import time

import numpy as np
import pyspiel

import tesuji

PAIRS = {
    "tictactoe": ("tictactoe", "tic_tac_toe"),
    "hex 11": ("hex(size=11,swap=false)", "hex(board_size=11)"),
    "othello": ("othello", "othello"),
    "gomoku 15": ("gomoku", "gomoku(size=15,connect=5)"),
    "go 9": ("go(size=9)", "go(board_size=9)"),
    "xiangqi": ("xiangqi", "xiangqi"),
}


def loop(game, seconds: float, seed: int, now=time.process_time) -> float:
    """Steps a second of random games, by the same Python code for both."""
    choice, steps, begun = random.Random(seed).choice, 0, now()
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
            steps += 1
            if steps % 512 == 0 and now() - begun > seconds:
                return steps / (now() - begun)


def alone(game, seconds: float, seed: int) -> float:
    """Steps a second of the same loop without a game: the lists of one random game, chosen from again and again."""
    choice, state, lists = random.Random(seed).choice, game.new_initial_state(), []
    while not state.is_terminal():
        lists.append(state.legal_actions())
        state.apply_action(choice(lists[-1]))
    steps, begun = 0, time.process_time()
    while True:
        for actions in lists:
            choice(actions)
            steps += 1
            if steps % 512 == 0 and time.process_time() - begun > seconds:
                return steps / (time.process_time() - begun)


def vector(game, seconds: float, count: int, threads: int, seed: int, now=time.process_time) -> float:
    """Steps a second of many games at once."""
    games = tesuji.VectorState(game, count, longest=1000, threads=threads, seed=seed)
    steps, begun = 0, now()
    while now() - begun < seconds:
        games.step(games.sample())
        steps += count
    return steps / (now() - begun)


def empty_call(state, seconds: float) -> float:
    """Calls a second of a method that answers a constant, the loop around it included."""
    calls, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        for _ in range(1000):
            state.is_simultaneous_node()
        calls += 1000
    return calls / (time.process_time() - begun)


def shown(numbers: list[float]) -> str:
    middle = statistics.median(numbers)
    return f"{middle:14,.0f} ({min(numbers):,.0f} to {max(numbers):,.0f})"


def ratios(above: list[float], below: list[float]) -> str:
    found = [one / other for one, other in zip(above, below)]
    return f"{statistics.median(found):7.1f}x ({min(found):.1f} to {max(found):.1f})"


def table(title: str, measured: dict, rounds: int) -> None:
    """All kinds in turn, round by round; ratios are to the first one."""
    rows: dict[str, list[float]] = {name: [] for name in measured}
    for seed in range(rounds):
        for name, measure in measured.items():
            rows[name].append(measure(seed))
    print(f"\n{title}")
    first = next(iter(rows.values()))
    for name, numbers in rows.items():
        print(f"  {name:34} {shown(numbers)}  {ratios(numbers, first) if numbers is not first else ''}".rstrip(), flush=True)


def load() -> str:
    return ", ".join(f"{number:.1f}" for number in os.getloadavg())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each measurement")
    parser.add_argument("--games", type=int, nargs="+", default=[256, 4096], help="of the batch")
    parser.add_argument("--threads", type=int, default=1, help="of the largest batch, by the clock")
    parser.add_argument("--only", nargs="+", choices=PAIRS, default=list(PAIRS), help="these games")
    parser.add_argument("--program", help="the command line, to compare simulations a second with")
    arguments = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}; load before: {load()}")
    for name in arguments.only:
        ours, theirs = PAIRS[name]
        ours, theirs = tesuji.load_game(ours), pyspiel.load_game(theirs)
        measured = {
            "OpenSpiel, loop": lambda seed: loop(theirs, arguments.seconds, seed),
            "tesuji, loop": lambda seed: loop(ours, arguments.seconds, seed),
            "Python alone": lambda seed: alone(ours, arguments.seconds, seed),
        } | {f"tesuji, {count} at once": lambda seed, count=count: vector(ours, arguments.seconds, count, 1, seed)
             for count in arguments.games}
        table(f"{name}: steps a second", measured, arguments.rounds)
        if arguments.threads > 1:
            count = max(arguments.games)
            table(f"{name}: steps a second by the clock", {
                "OpenSpiel, loop": lambda seed: loop(theirs, arguments.seconds, seed, time.perf_counter),
                f"tesuji, {count} at once, {arguments.threads} threads":
                    lambda seed: vector(ours, arguments.seconds, count, arguments.threads, seed, time.perf_counter),
            }, arguments.rounds)
    states = [game.new_initial_state() for game in (pyspiel.load_game("tic_tac_toe"), tesuji.load_game("tictactoe"))]
    table("calls a second of a method that answers a constant", {
        "OpenSpiel": lambda _: empty_call(states[0], arguments.seconds),
        "tesuji": lambda _: empty_call(states[1], arguments.seconds),
    }, arguments.rounds)
    evaluators(arguments)
    if arguments.program:
        simulations(arguments)
    print(f"\nload after: {load()}")


def evaluators(arguments: argparse.Namespace) -> None:
    """What a callback costs for each position, without a network, by the size of the batch."""
    game = tesuji.load_game("hex(size=11,swap=false)")
    state, logits = game.new_initial_state(), game.num_policy_logits()
    # Priors and values that differ, so that descents do; made before the clock starts.
    generator = np.random.default_rng(1)
    answers = {n: (generator.normal(size=(n, logits)).astype("f4"), generator.uniform(-0.2, 0.2, n).astype("f4"))
               for n in range(1, 129)}
    print("\nevaluator callback, Hex 11x11, no network: microseconds a position, positions a batch")
    for batch in (1, 4, 16, 64, 128):
        costs, sizes = [], []
        agent = game.evaluated_agent(lambda planes, globals_: answers[len(planes)], batch=batch)
        for _ in range(arguments.rounds):
            begun = time.process_time()
            report = agent.think(state, iterations=4000)
            costs.append(1e6 * (time.process_time() - begun) / report.iterations)
            sizes.append(report.figures["positions per batch"])
        low, high = min(costs), max(costs)
        print(f"  batch {batch:4}: {statistics.median(costs):8.2f} ({low:.2f} to {high:.2f})   {statistics.median(sizes):6.1f}")


def children() -> float:
    """The processor time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def simulations(arguments: argparse.Namespace) -> None:
    """MCTS from Python and from the command line, in turn; the time of the latter has its start, some milliseconds."""
    spec, iterations = "hex(size=11,swap=false)", 100_000
    rows: dict[str, list[float]] = {"command line": [], "Python": []}
    state = tesuji.load_game(spec).new_initial_state()
    for seed in range(arguments.rounds):
        words = [arguments.program, "think", spec, "--agent", "mcts(leaf=random)", "--iterations", str(iterations), "--seed",
                 str(seed), "--json"]
        begun = children()
        said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        rows["command line"].append(said["iterations"] / (children() - begun))
        begun = time.process_time()
        report = state.think("mcts(leaf=random)", iterations=iterations, seed=seed)
        rows["Python"].append(report.iterations / (time.process_time() - begun))
        assert report.move == said["best"], "equal seeds, equal searches"
    print(f"\nmcts(leaf=random), Hex 11x11, {iterations} iterations: simulations a second")
    for name, numbers in rows.items():
        print(f"  {name:12} {shown(numbers)}")
    print(f"  ratio {ratios(rows['Python'], rows['command line'])}")


if __name__ == "__main__":
    main()
