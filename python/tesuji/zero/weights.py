"""The weight file that the engine plays with: half precision, little-endian, checksummed. `docs/zero/weights.md`."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from .checkpoint import write_atomically
from .config import Net
from .network import Shape, tensors

MAGIC = b"tesujinn"
VERSION = 1


def encode(params: dict, shape: Shape, net: Net, encoding: str, note: str) -> bytes:
    """The bytes of a weight file."""
    body = bytearray()
    name, remark = encoding.encode(), note.encode()[:60_000]
    body += struct.pack("<B", len(name)) + name
    body += struct.pack("<H", len(remark)) + remark
    body += struct.pack(
        "<5HBB", shape.planes, shape.rows, shape.columns, shape.globals, shape.moves, int(shape.moves_are_cells), 0
    )
    body += struct.pack("<4H", net.channels, net.blocks, net.head_channels, net.value_hidden)
    for tensor, size in tensors(shape, net):
        value = np.asarray(params[tensor], np.float32)
        assert value.shape == size, (tensor, value.shape, size)
        half = value.astype("<f2")
        if not np.isfinite(half).all():
            raise ValueError(f"{tensor} does not fit half precision")
        body += half.tobytes()
    head = MAGIC + struct.pack("<III", VERSION, 20 + len(body), zlib.crc32(bytes(body)))
    return head + bytes(body)


def decode(data: bytes) -> tuple[dict, Shape, Net, str, str]:
    """Weights, sizes, encoding and note of a file; ValueError if it is damaged."""
    if data[:8] != MAGIC:
        raise ValueError("not a weight file")
    version, length, checksum = struct.unpack_from("<III", data, 8)
    if version != VERSION:
        raise ValueError(f"version {version}, this program reads {VERSION}")
    if length != len(data) or zlib.crc32(data[20:]) != checksum:
        raise ValueError("the file is damaged")
    at = 20

    def text(form):
        nonlocal at
        (size,) = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        found = data[at : at + size].decode()
        at += size
        return found

    encoding, note = text("<B"), text("<H")
    planes, rows, columns, globals_, moves, are_cells, _ = struct.unpack_from("<5HBB", data, at)
    at += 12
    channels, blocks, head, hidden = struct.unpack_from("<4H", data, at)
    at += 8
    shape = Shape(planes, rows, columns, globals_, moves, bool(are_cells))
    net = Net(blocks, channels, head, hidden)
    params = {}
    for tensor, size in tensors(shape, net):
        count = int(np.prod(size))
        params[tensor] = np.frombuffer(data, "<f2", count, at).astype(np.float32).reshape(size)
        at += 2 * count
    return params, shape, net, encoding, note


def save(path: Path, *args) -> None:
    write_atomically(Path(path), encode(*args))
