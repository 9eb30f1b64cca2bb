"""Environments of PettingZoo (AEC) for every game of ours.

>>> from tesuji import pettingzoo
>>> env = pettingzoo.env("tictactoe")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> sorted(observation), int(observation["action_mask"].sum())
(['action_mask', 'observation'], 9)

The agents are ``player_0`` and ``player_1``; turns need not alternate. An observation is a dictionary of the planes of the side
to move (``State.observation_tensor``) and the mask of legal actions; rewards come at the end, in [-1, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import tesuji

AGENTS = ["player_0", "player_1"]


class raw_env(AECEnv):
    """The environment without wrappers. Games longer than ``longest`` moves are truncated, 0 for none."""

    metadata = {"name": "tesuji", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, spec: str = "tictactoe", *, longest: int = 0, render_mode: str | None = None):
        super().__init__()
        self.game = tesuji.load_game(spec)
        self.longest, self.render_mode = longest, render_mode
        self.metadata = {**self.metadata, "name": f"tesuji_{self.game.short_name()}_v0"}
        self.possible_agents = list(AGENTS)
        actions, shape = self.game.num_distinct_actions(), tuple(self.game.observation_tensor_shape())
        # Globals, such as a komi, may be any number; planes are 0 and 1.
        seen = spaces.Box(low=-np.inf, high=np.inf, shape=shape, dtype=np.float32)
        mask = spaces.Box(low=0, high=1, shape=(actions,), dtype=np.int8)
        self.observation_spaces = {agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._state = self.game.new_initial_state()

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        self._state = self.game.new_initial_state()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[max(0, self._state.current_player())]

    def observe(self, agent: str) -> dict[str, Any]:
        own = not self._state.is_terminal() and AGENTS[self._state.current_player()] == agent
        mask = self._state.legal_actions_mask().astype(np.int8)
        return {"observation": self._state.observation_tensor(), "action_mask": mask if own else np.zeros_like(mask)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0.0
        self._state.apply_action(int(action))  # an IndexError names the action
        self._clear_rewards()
        if self._state.is_terminal():
            self.rewards = dict(zip(AGENTS, self._state.returns()))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            if self.longest and self._state.move_number() >= self.longest:
                self.truncations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[self._state.current_player()]
        self._accumulate_rewards()
        return None

    def state(self) -> np.ndarray:
        """The observation of the side to move."""
        return self._state.observation_tensor()

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self._state)
        if self.render_mode == "svg":
            return self._state._repr_svg_()
        return None

    def close(self) -> None:
        """Nothing is open."""


def env(spec: str = "tictactoe", **options: Any) -> AECEnv:
    """The environment with PettingZoo's checks: an action that is not legal ends the game as lost."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(spec, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
