"""Tests of the Python package without training. `python python/tests/test_package.py`"""

import unittest

import numpy as np

import tesuji
from tesuji.zero import SelfPlay


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


class Agents(unittest.TestCase):
    def test_a_search_reports_actions(self):
        game = tesuji.load_game("tictactoe")
        state = game.new_initial_state()
        for action in (0, 3, 1, 4):  # the first player wins at 2
            state.apply_action(action)
        agent = game.agent("mcts(leaf=random)")
        thought = agent.think(state, iterations=500, seed=3)
        self.assertEqual((thought["action"], thought["bounds"]), (2, (1.0, 1.0)))
        self.assertEqual([entry["action"] for entry in thought["actions"]], state.legal_actions())
        self.assertGreater(sum(entry["visits"] for entry in thought["actions"]), 0)
        self.assertEqual(thought["value"], 1.0)
        again = agent.think(state, iterations=500, seed=3)
        self.assertEqual(again["actions"], thought["actions"])

    def test_wrong_questions_say_why(self):
        game = tesuji.load_game("tictactoe")
        with self.assertRaisesRegex(ValueError, "mcst"):
            game.agent("mcst")
        with self.assertRaisesRegex(ValueError, "iterations, nodes or seconds"):
            game.agent("mcts").think(game.new_initial_state())
        with self.assertRaisesRegex(ValueError, "seconds"):
            game.agent("mcts").think(game.new_initial_state(), seconds=-1.0)
        with self.assertRaises(RuntimeError):
            game.agent("mcts").think(tesuji.load_game("hex(size=3)").new_initial_state(), iterations=5)
        with self.assertRaisesRegex(RuntimeError, "no weights are embedded"):
            game.agent("zero").think(game.new_initial_state(), iterations=5)

    def test_policies_follow_the_turned_board(self):
        state = tesuji.load_game("hex(size=4,swap=false)").new_initial_state()
        b1 = state.string_to_action("b1")
        self.assertEqual(state.policy_index(b1), b1)
        state.apply_action(state.string_to_action("c2"))
        self.assertEqual(state.policy_index(b1), state.string_to_action("a2"))
        planes = state.observation_tensor()
        self.assertEqual(planes[1].argmax(), state.string_to_action("b3"))  # c2, transposed
        with self.assertRaises(IndexError):
            state.policy_index(16)


if __name__ == "__main__":
    unittest.main()
