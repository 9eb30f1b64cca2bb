"""Tests of the Python package. `python python/tests/test_package.py`; those of training need JAX and say SKIPPED without it."""

import errno
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import tesuji
from tesuji.zero import SelfPlay

try:
    import jax  # noqa: F401

    HAS_JAX = True
except ImportError:
    HAS_JAX = False


class Games(unittest.TestCase):
    def test_a_game_of_tictactoe(self):
        game = tesuji.load_game("tictactoe")
        self.assertEqual((game.num_players(), game.num_distinct_actions()), (2, 9))
        state = game.new_initial_state()
        for action in (4, 0, 3, 5, 1, 7, 2):
            self.assertFalse(state.is_terminal())
            self.assertEqual(state.current_player(), state.move_number() % 2)
            self.assertIn(action, state.legal_actions())
            self.assertEqual(state.string_to_action(state.action_to_string(action)), action)
            state.apply_action(action)
        copy = state.clone()
        with self.assertRaises(IndexError):
            state.apply_action(4)
        self.assertEqual(copy.history(), [4, 0, 3, 5, 1, 7, 2])
        self.assertEqual(state.legal_actions_mask().sum(), 2)
        copy = copy.child(6)
        self.assertEqual(copy.move_number(), 8)
        while not copy.is_terminal():
            copy.apply_action(copy.legal_actions()[0])
        self.assertEqual(copy.current_player(), -4)
        self.assertEqual(sum(copy.returns()), 0.0)

    def test_wrong_specs_say_why(self):
        for spec in ("chess", "go(size=1)", "go(", "go(size=9,colour=1)"):
            with self.assertRaises(ValueError):
                tesuji.load_game(spec)

    def test_observations_of_go(self):
        game = tesuji.load_game("go(size=5)")
        state = game.new_initial_state()
        state.apply_action(state.string_to_action("C3"))
        planes = state.observation_tensor()
        self.assertEqual(list(planes.shape), game.observation_tensor_shape())
        self.assertEqual((planes[0].sum(), planes[1].sum()), (0, 1))
        self.assertEqual(planes[1][2, 2], 1)
        cells, actions = game.symmetries()
        self.assertEqual((cells.shape, actions.shape), ((8, 25), (8, 26)))
        self.assertTrue((np.sort(actions, axis=1) == np.arange(26)).all())


class Play(unittest.TestCase):
    def test_self_play_is_reproducible(self):
        def some(threads):
            game = tesuji.load_game("go(size=5,komi=0.5)")
            play = SelfPlay(game, games=8, threads=threads, simulations=8, considered=4, longest=10, seed=3)
            planes, globals_ = np.zeros((8, 8, 5, 5), np.uint8), np.zeros((8, 4), np.float32)
            play.gather(planes, globals_)
            found = []
            for _ in range(120):
                weights = np.arange(26, dtype=np.float32)
                logits = np.sin(planes.reshape(8, -1).sum(1)[:, None] * 0.1 + weights).astype(np.float32)
                play.step(logits, np.zeros(8, np.float32), planes, globals_)
                found.append(play.drain())
            return {name: np.concatenate([part[name] for part in found]) for name in found[0]}

        one, two = some(1), some(2)
        self.assertGreater(len(one["outcomes"]), 50)
        for name, value in one.items():
            np.testing.assert_array_equal(value, two[name])
        np.testing.assert_allclose(one["policies"].sum(1), 1, atol=1e-4)
        self.assertTrue(set(one["outcomes"]) <= {-1.0, 1.0})

    def test_wrong_arrays_are_refused(self):
        play = SelfPlay(tesuji.load_game("tictactoe"), games=2)
        with self.assertRaises(ValueError):
            play.gather(np.zeros((2, 3, 3, 4), np.uint8), np.zeros((2, 1), np.float32))
        planes, globals_ = np.zeros((2, 3, 3, 3), np.uint8), np.zeros((2, 1), np.float32)
        play.gather(planes, globals_)
        with self.assertRaises(ValueError):
            play.step(np.zeros((2, 9), np.float32), np.array([0.0, np.nan], np.float32), planes, globals_)
        with self.assertRaises(ValueError):
            play.step(np.zeros((3, 9), np.float32), np.zeros(2, np.float32), planes, globals_)


@unittest.skipUnless(HAS_JAX, "SKIPPED: no JAX")
class Training(unittest.TestCase):
    def test_tictactoe_is_learned_and_resumed(self):
        from tesuji.zero import checkpoint, weights
        from tesuji.zero.config import Config
        from tesuji.zero.train import Trainer

        with tempfile.TemporaryDirectory() as folder:
            lines = []
            config = Config.load("tictactoe", ["train.minimum=512"])
            trainer = Trainer(config, folder, log=lines.append)
            trainer.train(minutes=5, most_positions=9_000, report_every=1.0)
            first, last = trainer.facts["positions"], trainer.step
            self.assertGreater(last, 50)
            again = Trainer(config, folder, log=lines.append)
            self.assertEqual((again.facts["positions"], again.step), (first, last))
            np.testing.assert_array_equal(again.state["params"]["stem"], trainer.state["params"]["stem"])
            again.train(minutes=5, most_positions=2_000, report_every=1.0)
            self.assertGreater(again.facts["positions"], first)
            _, shape, net, encoding, note = weights.decode((Path(folder) / "weights.tzw").read_bytes())
            self.assertEqual((shape.moves, net, encoding), (9, config.net, "view-1"))
            self.assertIn("tictactoe", note)
            # A full disk leaves the last checkpoint as it was, and nothing beside it.
            path = Path(folder) / "checkpoint.npz"
            before = path.read_bytes()
            with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "full")), self.assertRaises(OSError):
                checkpoint.write_atomically(path, b"half a checkpoint")
            self.assertEqual(path.read_bytes(), before)
            self.assertEqual(list(Path(folder).glob("*.new")), [])

    def test_damaged_weights_are_refused(self):
        from tesuji.zero import network, weights
        from tesuji.zero.config import Net

        shape, net = network.Shape(3, 3, 3, 1, 9, True), Net(1, 4, 2, 2)
        params = network.initial(shape, net, 1)
        data = weights.encode(params, shape, net, "view-1", "a note")
        self.assertEqual(weights.decode(data)[1:], (shape, net, "view-1", "a note"))
        for bad in (data[:-1], data + b"\0", data[:30] + bytes([data[30] ^ 1]) + data[31:], b"something"):
            with self.assertRaises(ValueError):
                weights.decode(bad)


if __name__ == "__main__":
    unittest.main()
