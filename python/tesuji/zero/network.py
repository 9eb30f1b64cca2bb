"""The network: a pre-activation residual trunk with globally pooled biases, and pooled heads, in plain JAX.

    x ← conv3×3(planes) + W·globals
    h ← relu(norm(x));  h ← conv3×3(h) + W·[mean h, max h];  x ← x + conv3×3(relu(norm(h)))      (each block)

norm is the root-mean-square norm over the channels of a cell (Zhang & Sennrich 2019): no statistics of batches, so that
training and play compute the same function. Pooling over the board lets far stones matter in every block and keeps all weights
independent of the board's size (Wu 2019, §3.3). Heads, with t = relu(norm(x)):

    policy   p = W·t + V·[mean g, max g], g = relu(W·t);  cell logits = w·relu(p);  other logits from the pooled g
    value    v = relu(W·t);  logit = w·relu(W·[mean v, max v]);  value = tanh(logit / 2), so that σ(logit) is the chance to win
    owners   tanh(w·v) for each cell

Games whose moves are not cells have a dense policy layer over all cells instead (then the size of the board is fixed).
Layout: cells × channels, convolution weights [3, 3, in, out], matrices [in, out].
"""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from .config import Net


@dataclasses.dataclass(frozen=True)
class Shape:
    """The sizes of a game's tensors."""

    planes: int
    rows: int
    columns: int
    globals: int
    moves: int
    moves_are_cells: bool

    @property
    def cells(self) -> int:
        return self.rows * self.columns


def tensors(shape: Shape, net: Net) -> list[tuple[str, tuple[int, ...]]]:
    """Names and shapes of all weights, in the order of the weight file."""
    c, h = net.channels, net.head_channels
    listed = [("stem", (3, 3, shape.planes, c)), ("globals", (shape.globals, c))]
    for block in range(net.blocks):
        listed += [
            (f"block{block}.norm1", (c,)),
            (f"block{block}.conv1", (3, 3, c, c)),
            (f"block{block}.pool", (2 * c, c)),
            (f"block{block}.norm2", (c,)),
            (f"block{block}.conv2", (3, 3, c, c)),
        ]
    listed += [
        ("norm", (c,)),
        ("policy.own", (c, h)),
        ("policy.pooled", (c, h)),
        ("policy.bias", (2 * h, h)),
    ]
    if shape.moves_are_cells:
        listed.append(("policy.cells", (h, 1)))
        listed.append(("policy.rest", (2 * h, shape.moves - shape.cells)))
    else:
        listed.append(("policy.dense", (shape.cells * h, shape.moves)))
    listed += [
        ("value.own", (c, h)),
        ("value.hidden", (2 * h, net.value_hidden)),
        ("value.hidden_bias", (net.value_hidden,)),
        ("value.out", (net.value_hidden, 1)),
        ("value.out_bias", (1,)),
        ("owners", (h, 1)),
    ]
    return listed


def initial(shape: Shape, net: Net, seed: int) -> dict[str, np.ndarray]:
    """Random weights: He's scale, small where a branch joins the trunk and at the outputs."""
    rng = np.random.default_rng(seed)
    params = {}
    for name, size in tensors(shape, net):
        if "norm" in name:
            value = np.ones(size)
        elif name.endswith("_bias"):
            value = np.zeros(size)
        else:
            scale = np.sqrt(2.0 / max(1, np.prod(size[:-1])))
            if name.endswith("conv2"):
                scale /= np.sqrt(2.0 * net.blocks)
            if name in ("policy.cells", "policy.rest", "policy.dense", "value.out", "owners") or name.endswith("pool"):
                scale *= 0.3
            value = rng.normal(size=size) * scale
        params[name] = value.astype(np.float32)
    return params


def norm(x, gain):
    wide = x.astype(jnp.float32)
    wide = wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=-1, keepdims=True) + 1e-5)
    return (wide * gain.astype(jnp.float32)).astype(x.dtype)


def pooled(x):
    """Mean and maximum over the board, side by side."""
    return jnp.concatenate([jnp.mean(x.astype(jnp.float32), axis=(1, 2)).astype(x.dtype), jnp.max(x, axis=(1, 2))], axis=-1)


def conv(x, weights):
    return jax.lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def apply(params, shape: Shape, blocks: int, planes, globals_, dtype=jnp.float32):
    """Logits [n, moves], value logits [n], owners [n, cells] of planes uint8 [n, planes, rows, columns]."""
    p = {name: value.astype(dtype) for name, value in params.items()}
    n = planes.shape[0]
    x = conv(jnp.transpose(planes, (0, 2, 3, 1)).astype(dtype), p["stem"])
    x = x + (globals_.astype(dtype) @ p["globals"])[:, None, None, :]
    for block in range(blocks):
        name = f"block{block}."
        h = jax.nn.relu(norm(x, p[name + "norm1"]))
        h = conv(h, p[name + "conv1"]) + (pooled(h) @ p[name + "pool"])[:, None, None, :]
        x = x + conv(jax.nn.relu(norm(h, p[name + "norm2"])), p[name + "conv2"])
    t = jax.nn.relu(norm(x, p["norm"]))
    g = pooled(jax.nn.relu(t @ p["policy.pooled"]))
    own = jax.nn.relu(t @ p["policy.own"] + (g @ p["policy.bias"])[:, None, None, :])
    if shape.moves_are_cells:
        cells = (own @ p["policy.cells"]).reshape(n, shape.cells)
        logits = jnp.concatenate([cells, g @ p["policy.rest"]], axis=-1)
    else:
        logits = own.reshape(n, -1) @ p["policy.dense"]
    v = jax.nn.relu(t @ p["value.own"])
    hidden = jax.nn.relu(pooled(v) @ p["value.hidden"] + p["value.hidden_bias"])
    value = (hidden @ p["value.out"] + p["value.out_bias"])[:, 0]
    owners = jnp.tanh((v @ p["owners"]).reshape(n, shape.cells).astype(jnp.float32))
    return logits.astype(jnp.float32), value.astype(jnp.float32), owners
