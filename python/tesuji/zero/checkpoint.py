"""Checkpoints: everything that training needs to go on, in one small file that is never half written.

The weights and their moving average are kept in full, Adam's moments in bfloat16 (half the size; they are averages of
noise). A file is written beside its name, flushed to the disk and renamed, so that the last complete one survives a crash or a full disk.
The replay window is not part of it: self-play fills it again; a file of its own may hold it where there is room.

Version 2 added the weights of the last accepted network (`gate`); files of version 1 are read, their average counts as accepted.
Version 3 added packed files (`pack`), for a repository or a mail: weights and average in half precision, the average of squared
gradients, nothing else. Training goes on from one; the average of gradients, which remembers about ten updates, begins at zero.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np

try:
    import fcntl
except ImportError:  # Windows: two runs in one folder are not noticed
    fcntl = None

VERSION = 3


class Diverged(Exception):
    """The weights are no numbers any more; nothing was written."""


def write_atomically(path: Path, data: bytes) -> None:
    """Writes the file in full or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def only_run(folder: Path):
    """Keeps a second run out of the folder: both would write the same files. The system ends the claim with the process."""
    with open(Path(folder) / "lock", "w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SystemExit(f"another run trains in {folder}: end it first, or name another folder") from None
        yield


def _to_bf16(x: np.ndarray) -> np.ndarray:
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def _from_bf16(x: np.ndarray) -> np.ndarray:
    return (x.astype(np.uint32) << 16).view(np.float32)


def save(path: Path, state: dict, facts: dict, packed: bool = False) -> None:
    """`state` as in optimizer.py; `facts` is anything JSON can hold (the configuration, counts, seconds)."""
    arrays = {"facts": np.frombuffer(json.dumps({**facts, "version": VERSION}).encode(), np.uint8)}
    arrays["step"] = np.asarray(state["step"])
    for part in ("params", "average") if packed else ("params", "average", "gate"):
        for name, value in state[part].items():
            kept = np.asarray(value, np.float16 if packed else np.float32)
            if not np.isfinite(kept).all():
                raise Diverged(f"{name} has values that are not finite: the network has diverged")
            arrays[f"{part}/{name}"] = kept
    for part in ("second",) if packed else ("first", "second"):
        for name, value in state[part].items():
            arrays[f"{part}/{name}"] = _to_bf16(np.asarray(value))
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(path, buffer.getvalue())


def pack(path: Path, target: Path) -> None:
    """Writes a checkpoint again, packed: about a third of the size."""
    state, facts = load(path)
    save(target, state, facts, packed=True)


def load(path: Path) -> tuple[dict, dict]:
    """The state and the facts of a checkpoint; SystemExit with the reason if it cannot be read."""
    parts = ("params", "average", "gate", "first", "second")
    try:
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as arrays:
            facts = json.loads(bytes(arrays["facts"]))
            if facts.get("version") not in range(1, VERSION + 1):
                raise SystemExit(f"{path} is a checkpoint of version {facts.get('version')}, this program reads 1 to {VERSION}")
            state = {"step": arrays["step"].astype(np.int32), **{part: {} for part in parts}}
            for key in arrays.files:
                part, _, name = key.partition("/")
                if name:
                    value = arrays[key]
                    state[part][name] = _from_bf16(value) if value.dtype == np.uint16 else value.astype(np.float32)
    except (OSError, EOFError, ValueError, KeyError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise SystemExit(f"{path} is not a whole checkpoint ({error}): put back a copy of it, or move it away to begin from "
                         "random weights") from None
    state["gate"] = state["gate"] or state["average"]
    state["first"] = state["first"] or {name: np.zeros_like(value) for name, value in state["params"].items()}
    return state, facts
