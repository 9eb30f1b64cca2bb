#!/usr/bin/env python3
"""Solves positions with known answers, writes their proofs, and checks these with `tesuji verify`.

usage: bench/proofs.py --program target/release/tesuji [--data ../shared/data] [--seconds 60]
                       [--rules-seconds 10] [--part I/N] [--sets hex,othello] [--out results.jsonl]
       bench/proofs.py --table results.jsonl [results.jsonl ...]

The positions are the shipped problems (crates/games/problems/) and those of a data folder that some solver of the
program can answer with a proof. For each: `solve --time SECONDS --proof FILE`; where the solver ends,
`verify FILE`, then `verify FILE --rules-only`, and the same file with one byte of its claims altered
and a right checksum, which `verify` must refuse or accept as another proof of the same claim. One JSON
line per position goes to --out, and what is there already is not done again; --table prints the totals of each set as Markdown.

A proof that `verify` refuses, or a disagreement of `--rules-only`, is reported and makes the exit code 1.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def quoted(text):
    return '"' + text + '"'


def lines(path):
    return [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]


# Each set yields (name, game, options of solve).


def go_problems(_):
    for path in sorted((ROOT / "crates/games/problems/go").glob("*.txt")):
        yield path.stem, f"goproblem(file={quoted(str(path))})", []


def connect6_problems(_):
    for path in sorted((ROOT / "crates/games/problems/connect6").glob("*.txt")):
        yield path.stem, f"connect6(file={quoted(str(path))})", ["--with", "vcst"]


def gomoku_problems(_):
    for path in sorted((ROOT / "crates/games/problems/gomoku").glob("*.txt")):
        for number, line in enumerate(lines(path), 1):
            _, size, rows = line.split()
            board = rows.replace("/", "")
            yield f"{path.stem}-{number}", f"gomoku(size={size},position={quoted(board)})", ["--with", "vct"]


def hex_openings(data):
    for size, rows in json.loads((data / "hex/openings_2x2_to_6x6.json").read_text())["openings"].items():
        for row, cells in enumerate(rows, 1):
            for column in range(len(cells)):
                move = f"{chr(ord('a') + column)}{row}"
                yield f"{size}x{size} {move}", f"hex(size={size},swap=false)", ["--moves", move]


def hex_positions(data):
    for number, line in enumerate(lines(data / "hex/random_positions.jsonl"), 1):
        position = json.loads(line)
        moves = ["--moves", *position["moves"]] if position["moves"] else []
        yield str(number), f"hex(size={position['size']},swap=false)", moves


def othello_endgames(data):
    for number, line in enumerate(lines(data / "othello/random_endgames.tsv"), 1):
        board = line.split("\t")[1].rstrip("; ")
        yield str(number), f"othello(position={quoted(board)})", []


def othello_ffo(data):
    for path in sorted((data / "othello").glob("ffo-*.obf")):
        for number, line in enumerate(lines(path), 1):
            board = line.split(";")[0]
            yield f"{path.stem} {number}", f"othello(position={quoted(board)})", []


def gomoku_wins(data):
    for number, line in enumerate(lines(data / "gomoku/freestyle_forced_wins.jsonl"), 1):
        position = json.loads(line)
        game = f"gomoku(size={position['size']},rule=freestyle)"
        yield str(number), game, ["--with", "vct", "--moves", *position["moves"]]


def renju_wins(data):
    for position in json.loads((data / "gomoku/renju_vcf_vct.json").read_text()):
        board = "".join(position["board_rows_top_15_to_1"]).translate(str.maketrans("ox", "XO"))
        yield position["name"], f"gomoku(rule=renju,position={quoted(board)})", ["--with", "vct"]


def connect6_wins(data):
    for line in lines(data / "connect6/vcdt_wins.jsonl"):
        position = json.loads(line)
        moves = [stone for turn in position["moves"] for stone in turn[1:]]
        yield str(position["id"]), "connect6", ["--with", "vcst", "--moves", *moves]


def xiangqi_mates(data):
    for position in json.loads((data / "xiangqi/mate_compositions.json").read_text()):
        red = position["fen"].split()[1] == "w"
        goal = "first-wins" if red else "second-wins"
        yield str(position["id"]), f"xiangqi(fen={quoted(position['fen'])})", ["--with", "df-pn", "--goal", goal]


def small_games(_):
    yield "tictactoe", "tictactoe", []
    for m, n, k in [(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 4, 4)]:
        yield f"{m},{n},{k}", f"mnk(m={m},n={n},k={k})", []
    for size in (4, 6):
        yield f"othello {size}x{size}", f"othello(size={size})", []
    for size in range(2, 7):
        yield f"hex {size}x{size}", f"hex(size={size},swap=false)", []
    for size in (2, 3):
        yield f"go {size}x{size}", f"go(size={size},komi=0)", ["--with", "df-pn"]


SETS = {
    "problems/go": go_problems,
    "problems/connect6": connect6_problems,
    "problems/gomoku": gomoku_problems,
    "hex/openings": hex_openings,
    "hex/random_positions": hex_positions,
    "othello/random_endgames": othello_endgames,
    "othello/ffo": othello_ffo,
    "gomoku/freestyle_forced_wins": gomoku_wins,
    "gomoku/renju_vcf_vct": renju_wins,
    "connect6/vcdt_wins": connect6_wins,
    "xiangqi/mate_compositions": xiangqi_mates,
    "small/values": small_games,
}


def checksum(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value.to_bytes(8, "little")


class Prover:
    def __init__(self, options, folder):
        self.options = options
        self.proof = str(pathlib.Path(folder) / "proof")
        self.altered = str(pathlib.Path(folder) / "altered")

    def call(self, *arguments):
        run = subprocess.run([self.options.program, "--no-config", *arguments, "--json"], capture_output=True, text=True)
        try:
            answer = json.loads(run.stdout.splitlines()[-1])
        except (IndexError, json.JSONDecodeError):
            answer = {}
        return run.returncode, answer, run.stderr.strip()

    def altered_bytes(self, generator):
        """Another byte somewhere in the last tenth of the claims, and a right checksum."""
        data = bytearray(pathlib.Path(self.proof).read_bytes()[:-8])
        at = generator.randrange(len(data) - max(1, len(data) // 10), len(data))
        data[at] = (data[at] + generator.randrange(1, 8)) % 128
        return bytes(data) + checksum(data)

    def prove(self, name, game, options):
        result = {"name": name, "game": game}
        pathlib.Path(self.proof).unlink(missing_ok=True)
        seconds = str(self.options.seconds)
        code, answer, error = self.call("solve", game, *options, "--time", seconds, "--proof", self.proof)
        result["status"] = answer.get("status")
        result["solve_seconds"] = answer.get("seconds")
        if answer.get("proof") is None:
            result["outcome"] = "no proof" if answer.get("status") not in (None, "unknown") else "not solved"
            if answer.get("status") is None:
                result["outcome"] = "refused"
            result["error"] = error
            return result
        code, answer, error = self.call("verify", game, self.proof)
        result["verify_seconds"] = answer.get("seconds")
        result["certificates"] = sum(claim["certificates"] for claim in answer.get("claims", []))
        result["outcome"] = "verified" if code == 0 and answer.get("holds") is True else "REFUTED"
        if result["outcome"] == "REFUTED":
            result["error"] = error
            return result
        limit = str(self.options.rules_seconds)
        code, answer, error = self.call("verify", game, self.proof, "--rules-only", "--time", limit)
        result["unexpanded"] = sum(claim["unexpanded"] for claim in answer.get("claims", []))
        result["by_rules"] = {0: "agrees", 3: "unfinished"}.get(code, "DISAGREES")
        if result["by_rules"] == "DISAGREES":
            result["error"] = error
        generator = random.Random(name)
        refused = 0
        for _ in range(self.options.alterations):
            pathlib.Path(self.altered).write_bytes(self.altered_bytes(generator))
            refused += self.call("verify", game, self.altered)[0] == 2
        result["altered"] = self.options.alterations
        result["altered_refused"] = refused
        return result


def table(paths):
    results = [json.loads(line) for path in paths for line in pathlib.Path(path).read_text().splitlines()]
    print("| set | positions | solved | verified | certificates | by rules: agrees | unfinished | altered, refused |")
    print("|---|---|---|---|---|---|---|---|")
    for name in [*SETS, None]:
        some = [result for result in results if name is None or result["set"] == name]
        if not some:
            continue
        count = lambda key, value: sum(result.get(key) == value for result in some)
        total = lambda key: sum(result.get(key) or 0 for result in some)
        verified = count("outcome", "verified")
        print(
            f"| {name or 'all'} | {len(some)} | {verified + count('outcome', 'REFUTED')} | {verified} "
            f"| {total('certificates')} | {count('by_rules', 'agrees')} | {count('by_rules', 'unfinished')} "
            f"| {total('altered')}, {total('altered_refused')} |"
        )
    bad = [result for result in results if "REFUTED" in result.values() or "DISAGREES" in result.values()]
    for result in bad:
        print(f"\n{result['set']} {result['name']}: {result.get('error')}")
    return bool(bad)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "../shared/data")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rules-seconds", type=float, default=10)
    parser.add_argument("--alterations", type=int, default=2)
    parser.add_argument("--part", default="1/1", help="every Nth position, from the Ith")
    parser.add_argument("--sets", help="beginnings of the names of sets, separated by commas")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("proofs.jsonl"))
    parser.add_argument("--table", nargs="+")
    options = parser.parse_args()
    if options.table:
        return table(options.table)
    if not options.program:
        parser.error("--program is missing")
    part, parts = (int(number) for number in options.part.split("/"))
    wanted = tuple(options.sets.split(",")) if options.sets else ("",)
    known = [json.loads(line) for line in options.out.read_text().splitlines()] if options.out.exists() else []
    done = {(result["set"], result["name"]) for result in known}
    with tempfile.TemporaryDirectory() as folder, options.out.open("a") as out:
        prover = Prover(options, folder)
        for name, positions in SETS.items():
            if not name.startswith(wanted):
                continue
            try:
                listed = list(positions(options.data))
            except FileNotFoundError as error:
                print(f"skipped {name}: {error}", file=sys.stderr)
                continue
            for position in [position for position in listed if (name, position[0]) not in done][part - 1 :: parts]:
                result = {"set": name, **prover.prove(*position)}
                print(json.dumps(result), file=out, flush=True)
                print(name, result["name"], result["outcome"], result.get("by_rules", ""), file=sys.stderr, flush=True)
    return table([options.out])


if __name__ == "__main__":
    sys.exit(main())
