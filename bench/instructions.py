#!/usr/bin/env python3
"""Counts the instructions of fixed work on hot paths with callgrind, beside the committed counts.

usage: bench/instructions.py [--program target/release/tesuji] [--save] [--only PART]

Instructions do not depend on the load of the machine, so a change of a per cent is one of the code or of the
compiler. Every line of work has one thread, a seed and a limit other than time. --save replaces
bench/instructions.tsv; it is committed with the change that explains it. Takes about ten minutes.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "bench/instructions.tsv"


def game(spec, agent, *limits):
    return ["match", spec, "--first", agent, "--second", agent, "--games", "1", *limits]


WORK = {
    "Go 9×9, mcts, 50 iterations a move, a game": game("go(size=9)", "mcts", "--iterations", "50"),
    "Go 9×9, UCB1, 50 iterations a move, a game": game("go(size=9)", "mcts(select=ucb1)", "--iterations", "50"),
    "Hex 11, mcts, 200 iterations a move, a game": game("hex", "mcts", "--iterations", "200"),
    "Othello, mcts, 500 iterations a move, a game": game("othello", "mcts", "--iterations", "500"),
    "Gomoku, mcts, 100 iterations a move, a game": game("gomoku", "mcts", "--iterations", "100"),
    "Connect6, mcts, 50 iterations a move, a game": game("connect6", "mcts", "--iterations", "50"),
    "tic-tac-toe, mcts, 20,000 iterations a move, a game": game("tictactoe", "mcts", "--iterations", "20000"),
    "P-game, mcts, 3,000 iterations a move, a game": game("pgame", "mcts", "--iterations", "3000"),
    "Chinese chess, alpha-beta, 4,000 nodes a move, 20 moves": game(
        "xiangqi", "alpha-beta", "--nodes", "4000", "--draw-after", "40"
    ),
    "Othello, alpha-beta, 20,000 nodes a move, a game": game("othello", "alpha-beta", "--nodes", "20000"),
    "Gomoku, alpha-beta, 5,000 nodes a move, a game": game("gomoku", "alpha-beta", "--nodes", "5000"),
    "Hex 4×4, df-pn, 100,000 nodes": ["solve", "hex(size=4,swap=false)", "--with", "df-pn", "--nodes", "100000"],
    "5,4,4-game, df-pn, 100,000 nodes": ["solve", "mnk(m=5,n=4,k=4)", "--with", "df-pn", "--nodes", "100000"],
    "5,4,4-game, PN-search, 100,000 nodes": ["solve", "mnk(m=5,n=4,k=4)", "--with", "pn", "--nodes", "100000"],
    "4,4,4-game, plain minimax, depth 4": ["think", "mnk(m=4,n=4,k=4)", "--agent", "minimax(depth=4)"],
    "Chinese chess, perft 4": ["perft", "xiangqi", "4"],
    "Othello, perft 8": ["perft", "othello", "8"],
    "Go 5×5, perft 4": ["perft", "go(size=5)", "4"],
}


def instructions(program, arguments):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/tesuji"))
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--only", default="", metavar="PART", help="only work with this text in its name")
    options = parser.parse_args()
    if options.save and options.only:
        sys.exit("--save needs all of the work")
    committed = {}
    if COMMITTED.exists():
        committed = dict(line.split("\t") for line in COMMITTED.read_text().splitlines())
    counts = {}
    for name, arguments in WORK.items():
        if options.only not in name:
            continue
        counts[name] = count = instructions(options.program, arguments)
        change = ""
        if name in committed:
            change = f"  committed {int(committed[name]):>16,}  {100 * (count / int(committed[name]) - 1):+.1f} %"
        print(f"{name:<56} {count:>16,}{change}", flush=True)
    if options.save:
        COMMITTED.write_text("".join(f"{name}\t{count}\n" for name, count in counts.items()))


if __name__ == "__main__":
    main()
