"""Environments of Gymnasium: one player against a fixed opponent, and many games at once.

>>> from tesuji import gymnasium
>>> env = gymnasium.OpponentEnv("tictactoe", opponent="mcts", iterations=50)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(4)
>>> terminated, int(info["action_mask"].sum())
(False, 7)
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces

import tesuji


class OpponentEnv(gym.Env):
    """One side of a game; an agent of ours, by its spec, plays the other.

    ``player`` is 0 or 1, or None to alternate. Limits are those of each move of the opponent; with none it gets 100
    iterations. The reward comes at the end, in [-1, 1]; ``info["action_mask"]`` says which actions are legal.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(self, spec: str, opponent: str = "auto", *, player: int | None = 0, longest: int = 0,
                 iterations: int | None = None, nodes: int | None = None, seconds: float | None = None,
                 render_mode: str | None = None):
        self.game = tesuji.load_game(spec)
        self.agent = self.game.agent(opponent)
        self.limits = {"iterations": iterations, "nodes": nodes, "seconds": seconds}
        if not any(self.limits.values()):
            self.limits["iterations"] = 100
        self.player, self.own, self.longest, self.render_mode = player, player or 0, longest, render_mode
        self.observation_space = spaces.Box(-np.inf, np.inf, tuple(self.game.observation_tensor_shape()), np.float32)
        self.action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.state, self.games = self.game.new_initial_state(), 0

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict]:
        super().reset(seed=seed)
        self.state = self.game.new_initial_state()
        self.own = self.games % 2 if self.player is None else self.player
        self.games += 1
        self._answer()
        return self._seen()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        self.state.apply_action(int(action))
        self._answer()
        observation, info = self._seen()
        ended = self.state.is_terminal()
        cut = bool(self.longest) and not ended and self.state.move_number() >= self.longest
        return observation, self.state.returns()[self.own] if ended else 0.0, ended, cut, info

    def _answer(self) -> None:
        """The opponent moves until it is our turn."""
        while not self.state.is_terminal() and self.state.current_player() != self.own:
            seed = int(self.np_random.integers(1 << 62))
            report = self.agent.think(self.state, seed=seed, **self.limits)
            action = report.action if report.action is not None else self.state.legal_actions()[0]
            self.state.apply_action(action)

    def _seen(self) -> tuple[np.ndarray, dict]:
        return self.state.observation_tensor(), {"action_mask": self.state.legal_actions_mask().astype(np.int8)}

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.state)
        return self.state._repr_svg_() if self.render_mode == "svg" else None


class VectorEnv(gym.vector.VectorEnv):
    """Thousands of games at once, stepped in Rust: self-play, one action for whoever is to move in each game.

    The reward of a step belongs to the player who moved. A game that ends begins anew in the same step (Gymnasium's
    "same step" autoreset), so observations are those of live games. ``infos`` has the masks of legal actions and the players
    to move; with ``masks=False`` it has neither, and steps cost less.
    """

    def __init__(self, spec: str, num_envs: int, *, longest: int = 0, threads: int = 1, seed: int = 1, masks: bool = True):
        self.game = tesuji.load_game(spec)
        self.num_envs, self.masks = num_envs, masks
        self.states = tesuji.VectorState(self.game, num_envs, longest=longest, threads=threads, seed=seed)
        planes, rows, columns, _, _, _ = self.game.tensor_shape()
        self.single_observation_space = spaces.Box(0, 1, (planes, rows, columns), np.uint8)
        self.single_action_space = spaces.Discrete(self.game.num_distinct_actions())
        self.observation_space = gym.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gym.vector.utils.batch_space(self.single_action_space, num_envs)
        self.metadata = {"autoreset_mode": gym.vector.AutoresetMode.SAME_STEP}

    def _infos(self) -> dict[str, Any]:
        if not self.masks:
            return {}
        return {"action_mask": self.states.legal_actions_mask(), "player": self.states.current_players()}

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        self.states.reset(seed if seed is not None else 1)
        return self.states.observe()[0], self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        movers = self.states.current_players()
        results, how = self.states.step(np.ascontiguousarray(actions, dtype=np.int64))
        rewards = np.where(movers == 0, results, -results)
        return self.states.observe()[0], rewards, how == 1, how == 2, self._infos()
