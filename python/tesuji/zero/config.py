"""The configuration of a training run: a TOML file with five tables, every value with a default."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path


@dataclasses.dataclass
class Net:
    """A pre-activation residual network with globally pooled biases."""

    blocks: int = 6
    channels: int = 64
    head_channels: int = 32
    value_hidden: int = 64


@dataclasses.dataclass
class Play:
    """Self-play: `groups` batches of `games` games, so that processor and accelerator work at once."""

    games: int = 1024
    groups: int = 2
    threads: int = 0  # of each group; 0: enough for two groups at a time to use all cores
    simulations: int = 32
    considered: int = 16
    visit: float = 50.0
    scale: float = 0.1
    longest: int = 0  # 0: twice the cells
    decided: float = 1.0  # values beyond this count as decided; 1: off
    decided_simulations: int = 4
    decided_share: float = 0.25
    opening_share: float = 0.0  # of the games begin with random moves
    opening_plies: int = 1  # at most
    synchronous: bool = False  # play and train in turn: slower, and repeats exactly


@dataclasses.dataclass
class Train:
    """Updates: AdamW on positions drawn uniformly from the replay window."""

    window: int = 500_000
    minimum: int = 30_000  # positions in the window before training begins
    batch: int = 2048
    passes: float = 4.0  # how often a position is used on average
    rate: float = 1e-3
    final_rate: float = 1e-4
    warmup: int = 200
    horizon: int = 20_000  # updates over which a cosine goes from `rate` to `final_rate`
    weight_decay: float = 1e-4
    clip: float = 1.0
    average: float = 0.999  # decay of the moving average of the weights that plays
    policy_weight: float = 1.0
    value_weight: float = 1.0
    owner_weight: float = 0.5
    searched_share: float = 0.2  # of the searched value in the value target; the rest is the outcome
    chunk: int = 8192  # positions that enter the window at a time
    positions: int = 0  # training ends when this many were played in all runs; 0: no end


@dataclasses.dataclass
class Gate:
    """Matches: an average of the weights becomes the file that plays if it scores at least half against the last one that did."""

    games: int = 0  # of a match; 0: every average is accepted
    every: int = 2000  # updates between matches
    simulations: int = 16


@dataclasses.dataclass
class Config:
    game: str = "tictactoe"
    seed: int = 1
    net: Net = dataclasses.field(default_factory=Net)
    play: Play = dataclasses.field(default_factory=Play)
    train: Train = dataclasses.field(default_factory=Train)
    gate: Gate = dataclasses.field(default_factory=Gate)

    @staticmethod
    def load(name: str, changes: list[str] = ()) -> "Config":
        """Reads a file, or a configuration of the package by its name; then changes like "train.rate=1e-4"."""
        path = Path(name)
        if not path.is_file():
            path = Path(__file__).parent / "configs" / f"{name}.toml"
        if not path.exists():
            known = sorted(p.stem for p in path.parent.glob("*.toml"))
            raise SystemExit(f"no configuration {name!r}: give a TOML file or one of {', '.join(known)}")
        try:
            config = Config.of(tomllib.loads(path.read_text()))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SystemExit(f"{path} is not TOML: {error}") from None
        for change in changes:
            key, _, value = change.partition("=")
            config.set(key, value)
        return config

    @staticmethod
    def of(table: dict) -> "Config":
        config = Config()
        for key, value in table.items():
            if isinstance(value, dict):
                for inner, inner_value in value.items():
                    config.set(f"{key}.{inner}", inner_value)
            else:
                config.set(key, value)
        return config

    def set(self, key: str, value) -> None:
        *parts, name = key.split(".")
        owner = self
        for part in parts:
            owner = getattr(owner, part, None)
        if not dataclasses.is_dataclass(owner) or not hasattr(owner, name) or dataclasses.is_dataclass(getattr(owner, name)):
            raise SystemExit(f"unknown setting {key!r}")
        kind = type(getattr(owner, name))
        try:
            if kind is bool and isinstance(value, str):
                value = {"true": True, "false": False}[value.lower()]
            if kind is int and isinstance(value, float) and not value.is_integer():
                raise ValueError
            setattr(owner, name, kind(value))
        except (ValueError, TypeError, KeyError):
            raise SystemExit(f"{key} must be {kind.__name__}, not {value!r}") from None

    def table(self) -> dict:
        return dataclasses.asdict(self)
