"""python -m tesuji.zero train CONFIG --out DIR [--minutes M] [--positions N] [--set train.rate=1e-4 …]
python -m tesuji.zero exam CONFIG --weights FILE     what a network knows of a solved game, beside an untrained one
python -m tesuji.zero curves DIR         draws the learning curves of a run
python -m tesuji.zero show FILE          what a weight file holds
python -m tesuji.zero export CHECKPOINT --to FILE    the averaged weights of a checkpoint as a weight file
python -m tesuji.zero pack CHECKPOINT --to FILE      a checkpoint in a third of the size, to keep; training goes on from it
python -m tesuji.zero speed CONFIG       evaluations per second of the network by batch size"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="tesuji.zero", description="players that learn a game from its rules")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train, from the checkpoint in DIR if there is one")
    train.add_argument("config", help="a TOML file, or the name of a configuration of the package (go9, hex11, tictactoe, …)")
    train.add_argument("--out", type=Path, required=True, help="folder of the checkpoint, the weights and the log")
    train.add_argument("--minutes", type=float, default=60.0, help="stop after this time (default 60)")
    train.add_argument("--positions", type=int, default=0, help="stop after this many new positions (default: no limit)")
    train.add_argument("--save-every", type=float, default=60.0, help="seconds between checkpoints (default 60)")
    train.add_argument("--window", type=Path, help="file that keeps the replay window between runs (large)")
    train.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting, like train.rate=1e-4")
    exam = commands.add_parser("exam", help="what a network knows of a solved game (tictactoe, hex), beside an untrained one; "
                               "fails unless the network passes and the others do not")
    exam.add_argument("config", help="the configuration the network was trained with")
    exam.add_argument("--weights", type=Path, required=True, help="the trained network")
    exam.add_argument("--simulations", type=int, default=64, help="of each search (default 64)")
    exam.add_argument("--seed", type=int, default=1, help="of the searches with random playouts (default 1)")
    exam.add_argument("--openings", type=Path, help="winners of all openings (Hex); by default the solver's answers")
    curves = commands.add_parser("curves", help="draws the learning curves of a run")
    curves.add_argument("folder", type=Path, help="folder of the run")
    curves.add_argument("--to", type=Path, help="file to write (default: curves.svg in the folder)")
    show = commands.add_parser("show", help="what a weight file holds")
    show.add_argument("file", type=Path)
    export = commands.add_parser("export", help="writes the averaged weights of a checkpoint as a weight file")
    export.add_argument("checkpoint", type=Path)
    export.add_argument("--to", type=Path, required=True, help="file to write")
    pack = commands.add_parser("pack", help="writes a checkpoint in a third of the size; training goes on from it")
    pack.add_argument("checkpoint", type=Path)
    pack.add_argument("--to", type=Path, required=True, help="file to write")
    speed = commands.add_parser("speed", help="evaluations per second of the network by batch size")
    speed.add_argument("config")
    speed.add_argument("--batches", default="512,1024,2048,4096")
    arguments = parser.parse_args()
    {"show": show_file, "export": export_weights, "curves": draw_curves, "pack": pack_checkpoint, "exam": hold_exam, "train": run_training,
     "speed": measure}[arguments.command](
        arguments)
    sys.stdout.flush()


def show_file(arguments):
    from . import weights

    try:
        _, shape, net, encoding, note = weights.decode(arguments.file.read_bytes())
    except (OSError, ValueError) as error:
        raise SystemExit(f"{arguments.file}: {error}") from None
    print(f"{encoding} {shape}\n{net}\n{note}")


def export_weights(arguments):
    import tesuji

    from . import checkpoint, weights
    from .config import Config
    from .network import Shape

    state, facts = checkpoint.load(arguments.checkpoint)
    game = tesuji.load_game(facts["game"])
    note = (f"{facts['game']}; {facts['positions']} positions, {facts['games']} games, {int(state['step'])} updates, "
            f"{facts['seconds'] / 3600:.2f} hours")
    try:
        weights.save(arguments.to, state["average"], Shape(*game.tensor_shape()), Config.of(facts["config"]).net,
                     facts["encoding"], note)
    except (OSError, ValueError, AssertionError, KeyError) as error:
        raise SystemExit(f"{arguments.to} could not be written: {error}") from None
    print(note)


def pack_checkpoint(arguments):
    from . import checkpoint

    try:
        checkpoint.pack(arguments.checkpoint, arguments.to)
    except (OSError, checkpoint.Diverged) as error:
        raise SystemExit(f"{arguments.to} could not be written: {error}") from None
    print(f"{arguments.to}: {arguments.to.stat().st_size:,} bytes")


def draw_curves(arguments):
    from . import checkpoint, curves

    target = arguments.to or arguments.folder / "curves.svg"
    try:
        lines = curves.read(arguments.folder / "log.jsonl")
        checkpoint.write_atomically(target, curves.draw(lines, arguments.folder.name).encode())
    except OSError as error:
        raise SystemExit(f"{error.filename}: {error.strerror}") from None
    print(target)


def hold_exam(arguments):
    from . import exam
    from .config import Config

    config = Config.load(arguments.config)
    try:
        lines = exam.examine(config, arguments.weights, arguments.simulations, arguments.seed, arguments.openings)
    except (RuntimeError, ValueError) as error:
        raise SystemExit(str(error)) from None
    for line in lines:
        print(json.dumps(line))
    trained, *others = lines
    if not trained["passed"] or any(line["passed"] for line in others):
        raise SystemExit("the network did not pass" if not trained["passed"] else "a player without training passed")


def run_training(arguments):
    from .checkpoint import Diverged, only_run
    from .config import Config
    from .train import Trainer

    config = Config.load(arguments.config, arguments.set)
    path = arguments.out / "checkpoint.npz"
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
        with only_run(arguments.out):
            trainer = Trainer(config, arguments.out, log=lambda line: print(line, flush=True))
            trainer.train(arguments.minutes, arguments.save_every, most_positions=arguments.positions,
                          window_file=arguments.window)
    except (OSError, ValueError, RuntimeError, Diverged) as error:  # a device that is gone is a RuntimeError
        kept = f"; {path} is the last checkpoint, and is whole" if path.exists() else ""
        raise SystemExit(f"training ended: {type(error).__name__}: {error}{kept}") from None


def measure(arguments):
    import tempfile

    import jax
    import numpy as np

    from .config import Config
    from .train import Trainer

    trainer = Trainer(Config.load(arguments.config), Path(tempfile.mkdtemp()))
    s = trainer.shape
    for batch in map(int, arguments.batches.split(",")):
        planes = np.random.default_rng(1).integers(0, 2, (batch, s.planes, s.rows, s.columns)).astype(np.uint8)
        globals_ = np.zeros((batch, s.globals), np.float32)
        out = jax.block_until_ready(trainer.infer(trainer.playing, planes, globals_))
        begin = time.monotonic()
        rounds = 30
        for _ in range(rounds):
            out = trainer.infer(trainer.playing, planes, globals_)
        jax.block_until_ready(out)
        taken = (time.monotonic() - begin) / rounds
        on_device = jax.device_put((planes, globals_))
        begin = time.monotonic()
        for _ in range(rounds):
            out = trainer.infer(trainer.playing, *on_device)
        jax.block_until_ready(out)
        alone = (time.monotonic() - begin) / rounds
        print(f"batch {batch}: {taken * 1e3:.2f} ms with transfer, {alone * 1e3:.2f} ms without, "
              f"{batch / alone:,.0f} evaluations/s, on {jax.devices()[0]}", flush=True)


if __name__ == "__main__":
    main()
