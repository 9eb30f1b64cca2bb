"""Writes crates/learn/tests/golden: weight files of small random networks, inputs, and what JAX makes of them.

    PYTHONPATH=… python python/tests/make_golden.py crates/learn/tests/golden
"""

import struct
import sys
from pathlib import Path

import jax

jax.config.update("jax_default_matmul_precision", "highest")

import numpy as np  # noqa: E402

from tesuji.zero import network, weights  # noqa: E402
from tesuji.zero.config import Net  # noqa: E402

CASES = {
    "cells": (network.Shape(8, 5, 5, 4, 26, True), Net(2, 16, 8, 8), "go-1"),
    "dense": (network.Shape(3, 3, 4, 1, 7, False), Net(1, 8, 4, 4), "view-1"),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    for name, (shape, net, encoding) in CASES.items():
        params = network.initial(shape, net, 3)
        params = {key: value + rng.normal(size=value.shape).astype(np.float32) * 0.05 for key, value in params.items()}
        data = weights.encode(params, shape, net, encoding, f"golden {name}")
        (folder / f"{name}.tzw").write_bytes(data)
        params, *_ = weights.decode(data)
        n = 4
        planes = rng.integers(0, 2, (n, shape.planes, shape.rows, shape.columns)).astype(np.uint8)
        globals_ = rng.normal(size=(n, shape.globals)).astype("<f4")
        logits, value, _ = network.apply(params, shape, net.blocks, planes, globals_)
        value = np.tanh(np.asarray(value) * 0.5)
        out = struct.pack("<I", n)
        for i in range(n):
            out += planes[i].tobytes() + globals_[i].tobytes()
            out += np.asarray(logits[i], "<f4").tobytes() + np.asarray(value[i], "<f4").tobytes()
        (folder / f"{name}.out").write_bytes(out)


main(Path(sys.argv[1]))
