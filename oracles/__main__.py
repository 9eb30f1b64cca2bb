"""Judges by other programs' rules and formulas, for tesuji's tests (crates/testing/src/judge.rs starts them).

usage: python oracles JUDGE play GAMES SEED [ARGUMENT ...]
       python oracles JUDGE answer < QUESTIONS

A judge is a module of this folder with one of two functions:

    game(generator, number, *arguments)  plays a random game. It yields (move, legal moves) for each ply, or (move,
                                         legal moves, board after it), and returns what there is to say of the end.
    answer(question)                     returns the answer to one line.

`play` prints a line `move | legal moves` or `move | legal moves | board` for each ply and `end ...` for each game;
`answer` prints one line for each line. Exit code 3: the library that the judge asks is not installed.

    pip install open_spiel pyffish scipy statsmodels choix
"""

import importlib
import random
import sys

MISSING = 3


def play(judge, games, seed, arguments):
    generator = random.Random(seed)
    for number in range(games):
        game = judge.game(generator, number, *arguments)
        while True:
            try:
                move, legal, *board = next(game)
            except StopIteration as end:
                print("end", end.value)
                break
            print(" | ".join([move, " ".join(legal), *board]))


def main():
    name, form, *rest = sys.argv[1:]
    try:
        judge = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            raise
        print(error, file=sys.stderr)
        return MISSING
    if form == "play":
        play(judge, int(rest[0]), int(rest[1]), rest[2:])
    elif form == "answer":
        for line in sys.stdin:
            print(judge.answer(line.strip()), flush=True)
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
