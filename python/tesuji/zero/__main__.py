"""python -m tesuji.zero train CONFIG --out DIR [--minutes M] [--positions N] [--set train.rate=1e-4 …]
python -m tesuji.zero show FILE          what a weight file holds
python -m tesuji.zero speed CONFIG       evaluations per second of the network by batch size"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="tesuji.zero", description="players that learn a game from its rules")
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train, from the checkpoint in DIR if there is one")
    train.add_argument("config", help="a TOML file, or the name of a configuration of the package (go9, go5, tictactoe)")
    train.add_argument("--out", type=Path, required=True, help="folder of the checkpoint, the weights and the log")
    train.add_argument("--minutes", type=float, default=60.0, help="stop after this time (default 60)")
    train.add_argument("--positions", type=int, default=0, help="stop after this many new positions (default: no limit)")
    train.add_argument("--save-every", type=float, default=60.0, help="seconds between checkpoints (default 60)")
    train.add_argument("--window", type=Path, help="file that keeps the replay window between runs (large)")
    train.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting, like train.rate=1e-4")
    show = commands.add_parser("show", help="what a weight file holds")
    show.add_argument("file", type=Path)
    speed = commands.add_parser("speed", help="evaluations per second of the network by batch size")
    speed.add_argument("config")
    speed.add_argument("--batches", default="512,1024,2048,4096")
    arguments = parser.parse_args()
    if arguments.command == "show":
        from . import weights

        _, shape, net, encoding, note = weights.decode(arguments.file.read_bytes())
        print(f"{encoding} {shape}\n{net}\n{note}")
        return
    import jax
    import numpy as np

    from .config import Config
    from .train import Trainer

    if arguments.command == "train":
        config = Config.load(arguments.config, arguments.set)
        trainer = Trainer(config, arguments.out, log=lambda line: print(line, flush=True))
        trainer.train(arguments.minutes, arguments.save_every, most_positions=arguments.positions, window_file=arguments.window)
    else:
        import tempfile

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
    sys.stdout.flush()


if __name__ == "__main__":
    main()
