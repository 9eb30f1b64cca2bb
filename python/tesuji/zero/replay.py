"""The replay window: the last positions of self-play, in the accelerator's memory, a ring that is overwritten in chunks."""

from __future__ import annotations

import functools
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from .network import Shape


@functools.partial(jax.jit, donate_argnums=0)
def _insert(ring, chunk, at):
    return jax.tree.map(lambda all_, new: jax.lax.dynamic_update_slice_in_dim(all_, new.astype(all_.dtype), at, 0), ring, chunk)


class Replay:
    """Positions with targets: planes, globals, policies, values in [-1, 1], owners."""

    def __init__(self, shape: Shape, window: int, chunk: int):
        self.chunk = chunk
        self.size = max(1, window // chunk) * chunk
        n, cells = self.size, shape.cells
        self.ring = {
            "planes": jnp.zeros((n, shape.planes, cells), jnp.uint8),
            "globals": jnp.zeros((n, shape.globals), jnp.float32),
            "policies": jnp.zeros((n, shape.moves), jnp.float16),
            "values": jnp.zeros((n,), jnp.float32),
            "owners": jnp.zeros((n, cells), jnp.int8),
        }
        self.at = 0
        self.filled = 0
        self.waiting: list[dict] = []
        self.waiting_count = 0

    def add(self, positions: dict) -> None:
        """Takes positions; they enter the window as soon as a chunk is full."""
        if len(positions["values"]) == 0:
            return
        self.waiting.append(positions)
        self.waiting_count += len(positions["values"])
        if self.waiting_count < self.chunk:
            return
        joined = {name: np.concatenate([part[name] for part in self.waiting]) for name in self.ring}
        whole = self.waiting_count // self.chunk * self.chunk
        for begin in range(0, whole, self.chunk):
            part = {name: value[begin : begin + self.chunk] for name, value in joined.items()}
            self.ring = _insert(self.ring, part, self.at)
            self.at = (self.at + self.chunk) % self.size
            self.filled = min(self.size, self.filled + self.chunk)
        self.waiting = [{name: value[whole:] for name, value in joined.items()}]
        self.waiting_count -= whole

    def save(self, path: Path) -> None:
        """Writes the window as it is, for a quick start on the same machine."""
        path = Path(path)
        arrays = {name: np.asarray(value[: self.filled]) for name, value in self.ring.items()}
        arrays["planes"] = np.packbits(arrays["planes"].reshape(self.filled, -1), axis=1)
        beside = path.with_name(path.name + ".new.npz")
        np.savez(beside, at=self.at, **arrays)
        beside.replace(path)

    def load(self, path: Path) -> None:
        """Reads a window of the same game."""
        with np.load(path) as file:
            arrays = {name: file[name] for name in self.ring}
        count = len(arrays["planes"]) // self.chunk * self.chunk
        _, planes, cells = self.ring["planes"].shape
        for begin in range(0, count, self.chunk):
            part = {name: value[begin : begin + self.chunk] for name, value in arrays.items()}
            bits = np.unpackbits(part["planes"], axis=1, count=planes * cells)
            self.add({**part, "planes": bits.reshape(-1, planes, cells)})
