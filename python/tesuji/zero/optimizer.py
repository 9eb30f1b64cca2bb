"""AdamW (Loshchilov & Hutter 2019) with clipping by the global norm and a moving average of the weights."""

from __future__ import annotations

import jax
import jax.numpy as jnp

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


def initial(params):
    """The state of training that begins with these weights."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {
        "params": params,
        "average": jax.tree.map(jnp.copy, params),
        "first": zeros,
        "second": jax.tree.map(jnp.copy, zeros),
        "step": jnp.zeros((), jnp.int32),
    }


def update(state, gradients, rate, *, weight_decay, clip, average):
    """One step. Norm gains and biases do not decay."""
    step = state["step"] + 1
    size = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    scale = jnp.minimum(1.0, clip / (size + 1e-9))
    gradients = jax.tree.map(lambda g: g * scale, gradients)
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, state["first"], gradients)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, state["second"], gradients)
    t = step.astype(jnp.float32)
    correction1, correction2 = 1 - BETA1**t, 1 - BETA2**t

    def moved(p, m, v):
        decay = weight_decay if p.ndim > 1 else 0.0
        return p - rate * (m / correction1 / (jnp.sqrt(v / correction2) + EPSILON) + decay * p)

    params = jax.tree.map(moved, state["params"], first, second)
    # The average forgets faster at first, else it would remember the random weights.
    kept = jnp.minimum(average, (1 + t) / (10 + t))
    mean = jax.tree.map(lambda a, p: kept * a + (1 - kept) * p, state["average"], params)
    return {"params": params, "average": mean, "first": first, "second": second, "step": step}, size
