"""Our games as games of OpenSpiel, so that its algorithms and tests run on them.

>>> import pyspiel
>>> from tesuji import openspiel
>>> name = openspiel.register("hex(size=3)")
>>> game = pyspiel.load_game(name)
>>> state = game.new_initial_state()
>>> state.apply_action(4)
>>> state.current_player(), state.is_terminal()
(1, False)

A game is registered by its spec, under the name ``tesuji_`` and the game's, unless another name is given: OpenSpiel's
parameters cannot say what ours can. ``register_all()`` registers every board game with its defaults.
"""

from __future__ import annotations

import numpy as np
import pyspiel

import tesuji

# Games of boards; the others are trees for study.
BOARD_GAMES = ("tictactoe", "mnk", "go", "hex", "othello", "gomoku", "connect6", "xiangqi")

_registered: dict[str, str] = {}


class State(pyspiel.State):
    """A position of ours with OpenSpiel's methods."""

    def __init__(self, game: pyspiel.Game, ours: tesuji.State):
        super().__init__(game)
        self.ours = ours

    def current_player(self) -> int:
        return self.ours.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.ours.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self.ours.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        raise NotImplementedError("OpenSpiel cannot take its own history back for games in Python; clone the state")

    def _action_to_string(self, player: int, action: int) -> str:
        # OpenSpiel also asks for actions that were played already.
        return self.ours.action_to_string(action) if action in self.ours.legal_actions() else str(action)

    def is_terminal(self) -> bool:
        return self.ours.is_terminal()

    def returns(self) -> list[float]:
        return self.ours.returns()

    def __str__(self) -> str:
        return str(self.ours)


class Observer:
    """What a player sees: everything, as the encoding of the game writes it for the side to move."""

    def __init__(self, game: tesuji.Game):
        self.shape = tuple(game.observation_tensor_shape())
        self.tensor = np.zeros(int(np.prod(self.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self.shape)}

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][...] = state.ours.observation_tensor()

    def string_from(self, state: State, player: int) -> str:
        return str(state.ours)


def register(spec: str, name: str | None = None) -> str:
    """Registers the game of a spec and answers the name under which OpenSpiel knows it."""
    ours = tesuji.load_game(spec)
    name = name or f"tesuji_{ours.short_name()}"
    if name in _registered:
        if _registered[name] != str(ours):
            raise ValueError(f"OpenSpiel knows {name} as {_registered[name]}; register {ours} under another name")
        return name
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"tesuji: {ours.short_name()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=ours.num_distinct_actions(),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=ours.max_game_length(),
    )

    class Game(pyspiel.Game):
        """A game of ours."""

        def __init__(self, params: dict | None = None):
            super().__init__(kind, info, params or {})
            self.ours = ours

        def new_initial_state(self) -> State:
            return State(self, ours.new_initial_state())

        def make_py_observer(self, iig_obs_type=None, params: dict | None = None) -> Observer:
            return Observer(ours)

    pyspiel.register_game(kind, Game)
    _registered[name] = str(ours)
    return name


def register_all() -> list[str]:
    """Registers every board game with its defaults, and answers their names."""
    return [register(name) for name in BOARD_GAMES]
