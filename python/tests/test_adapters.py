"""PettingZoo, Gymnasium, many games at once, OpenSpiel."""

import random
import warnings

import numpy as np
import pytest

import tesuji

BOARDS = ["tictactoe", "mnk(m=4,n=4,k=3)", "go(size=5)", "hex(size=4)", "othello", "gomoku(size=7)", "connect6(size=7)",
          "xiangqi"]


# ---------------------------------------------------------------- PettingZoo


@pytest.mark.parametrize("spec", BOARDS)
def test_pettingzoo_api(spec):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from tesuji import pettingzoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(spec, longest=60), num_cycles=60)


def test_pettingzoo_games_are_ours():
    pytest.importorskip("pettingzoo")
    from tesuji import pettingzoo

    generator = random.Random(3)
    for spec in ("connect6(size=6)", "tictactoe"):
        for _ in range(5):
            env, state = pettingzoo.env(spec), tesuji.load_game(spec).new_initial_state()
            env.reset()
            got = {"player_0": 0.0, "player_1": 0.0}
            for agent in env.agent_iter():
                observation, reward, termination, truncation, _ = env.last()
                got[agent] += reward
                if termination or truncation:
                    env.step(None)
                    continue
                assert agent == f"player_{state.current_player()}"
                legal = state.legal_actions()
                assert np.flatnonzero(observation["action_mask"]).tolist() == legal
                action = generator.choice(legal)
                env.step(action)
                state.apply_action(action)
            assert state.is_terminal() and [got["player_0"], got["player_1"]] == state.returns()


def test_pettingzoo_illegal_moves_lose():
    pytest.importorskip("pettingzoo")
    from tesuji import pettingzoo

    env = pettingzoo.env("tictactoe", render_mode="ansi")
    env.reset()
    env.step(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(4)
    assert env.rewards["player_1"] == -1 and "X" in env.render()


# ---------------------------------------------------------------- Gymnasium


def test_gymnasium_environment():
    gym = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from tesuji import gymnasium as ours

    class Masked(ours.OpponentEnv):
        """The checker plays actions without looking at the mask."""

        def step(self, action):
            legal = self.state.legal_actions()
            return super().step(legal[action % len(legal)])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Masked("tictactoe", iterations=20), skip_render_check=True)
    env = ours.OpponentEnv("hex(size=4)", opponent="mcts", player=1, iterations=50)
    assert isinstance(env, gym.Env)
    observation, info = env.reset(seed=4)
    assert env.state.move_number() == 1 and env.state.current_player() == 1
    first, total = env.state.history(), 0.0
    while True:
        observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert observation in env.observation_space
        total += reward
        if terminated or truncated:
            break
    assert total in (-1.0, 1.0) and total == env.state.returns()[1]
    env.reset(seed=4)
    assert env.state.history() == first, "the opponent's moves follow the seed"


def test_vector_environment():
    pytest.importorskip("gymnasium")
    from tesuji import gymnasium as ours

    env = ours.VectorEnv("tictactoe", 64, seed=2)
    observations, infos = env.reset(seed=2)
    assert observations.shape == env.observation_space.shape and infos["action_mask"].sum() == 9 * 64
    ended = 0
    for _ in range(30):
        movers = infos["player"]
        actions = np.array([np.flatnonzero(mask)[0] for mask in infos["action_mask"]])
        observations, rewards, terminations, truncations, infos = env.step(actions)
        ended += int(terminations.sum())
        # Who moves last never loses.
        assert (rewards >= 0).all() and (rewards[~terminations] == 0).all() and not truncations.any()
        assert len(movers) == 64
    assert ended > 100


def test_many_games_are_the_same_games():
    """A batch plays exactly what single states play, whatever the number of threads."""
    for spec in ("hex(size=5)", "othello", "connect6(size=7)", "go(size=5)"):
        game, count = tesuji.load_game(spec), 24
        games = tesuji.VectorState(game, count, longest=80, seed=9)
        others = tesuji.VectorState(game, count, longest=80, seed=9, threads=3)
        states = [game.new_initial_state() for _ in range(count)]
        finished = 0
        for _ in range(120):
            assert games.current_players().tolist() == [state.current_player() for state in states]
            masks = games.legal_actions_mask()
            assert all(np.flatnonzero(mask).tolist() == state.legal_actions() for mask, state in zip(masks, states))
            planes, globals_ = games.observe()
            alone = states[5].observation_planes()
            assert (planes[5:6] == alone[0]).all() and (globals_[5:6] == alone[1]).all()
            assert (others.observe()[0] == planes).all()
            actions = games.sample()
            assert (others.sample() == actions).all()
            results, how = games.step(actions)
            assert all((a == b).all() for a, b in zip(others.step(actions), (results, how)))
            for number, (state, action) in enumerate(zip(states, actions.tolist())):
                state.apply_action(action)
                cut = state.move_number() >= 80 and not state.is_terminal()
                assert how[number] == (1 if state.is_terminal() else 2 if cut else 0)
                assert results[number] == state.returns()[0]
                if how[number]:
                    finished += 1
                    states[number] = game.new_initial_state()
        assert finished > 20


def test_drawn_actions_may_be_ignored():
    """Actions are drawn ahead where that pays: what is played, asked for twice or wrong shows nothing of it."""
    for spec in ("tictactoe", "go(size=5)", "othello", "hex(size=5,swap=false)"):
        game, count, generator = tesuji.load_game(spec), 32, np.random.default_rng(4)
        games = tesuji.VectorState(game, count, longest=50, seed=7)
        states = [game.new_initial_state() for _ in range(count)]
        with pytest.raises(IndexError, match="game 0: action -1"):
            games.step(np.full(count, -1))
        for turn in range(120):
            one = games.sample() if generator.random() < 0.7 else None
            two = games.sample() if generator.random() < 0.3 else one
            legal = [state.legal_actions() for state in states]
            for drawn in (one, two):
                assert drawn is None or all(action in here for action, here in zip(drawn.tolist(), legal))
            if generator.random() < 0.2:
                wrong, place = (two if two is not None else games.sample()).copy(), int(generator.integers(count))
                wrong[place] = generator.choice((-1, np.iinfo(np.int64).min, game.num_distinct_actions()))
                with pytest.raises(IndexError, match=f"game {place}: action {wrong[place]}"):
                    games.step(wrong)
            own = np.array([generator.choice(here) for here in legal])
            chosen = own if two is None else np.where(generator.random(count) < generator.choice((0, 0.5, 1)), own, two)
            results, how = games.step(chosen)
            for number, (state, action) in enumerate(zip(states, chosen.tolist())):
                state.apply_action(action)
                assert results[number] == state.returns()[0] and (how[number] == 1) == state.is_terminal()
                if how[number]:
                    states[number] = game.new_initial_state()
            if turn == 60:
                games.reset(seed=3)
                states = [game.new_initial_state() for _ in range(count)]
    # Twice the same draws of 64 games would be a wonder.
    games = tesuji.VectorState(tesuji.load_game("go(size=9)"), 64, seed=1)
    assert (games.sample() != games.sample()).any()


def test_arrays_of_the_caller_are_written_in_place():
    game = tesuji.load_game("go(size=5)")
    games = tesuji.VectorState(game, 16, longest=40, seed=5, threads=3)
    planes, globals_ = (np.empty_like(array) for array in games.observe())
    mask = np.empty((16, 26), np.uint8)
    for _ in range(60):
        assert games.legal_actions_mask(out=mask) is mask and (mask == games.legal_actions_mask()).all()
        seen = games.observe(out=(planes, globals_))
        assert seen[0] is planes and seen[1] is globals_
        assert all((one == other).all() for one, other in zip(seen, games.observe()))
        games.step(games.sample())
    for wrong in (np.empty((16, 25), np.uint8), np.empty((26, 16), np.uint8).T, np.empty((16, 52), np.uint8)[:, ::2]):
        with pytest.raises(ValueError, match=r"out must be contiguous and have the shape \[16, 26\]"):
            games.legal_actions_mask(out=wrong)
    with pytest.raises(TypeError):
        games.legal_actions_mask(out=np.empty((16, 26), np.float32))
    mask.flags.writeable = False
    with pytest.raises(ValueError, match="out: "):
        games.legal_actions_mask(out=mask)
    with pytest.raises(ValueError, match="globals must be contiguous"):
        games.observe(out=(planes, globals_[:3]))


# ---------------------------------------------------------------- OpenSpiel


def test_openspiels_own_tests_run_on_our_games():
    pyspiel = pytest.importorskip("pyspiel")
    from tesuji import openspiel

    for spec in ("tictactoe", "hex(size=4)", "othello", "connect6(size=7)"):
        name = openspiel.register(spec, name=f"tesuji_test_{spec.split('(')[0]}")
        game = pyspiel.load_game(name)
        pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    with pytest.raises(ValueError, match="another name"):
        openspiel.register("hex(size=5)", name="tesuji_test_hex")


def test_openspiels_algorithms_run_on_our_games():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts, minimax

    from tesuji import openspiel

    game = pyspiel.load_game(openspiel.register("tictactoe"))
    value, _ = minimax.alpha_beta_search(game, state=game.new_initial_state())
    assert value == 0
    generator = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 50, mcts.RandomRolloutEvaluator(1, generator), random_state=generator)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert state.returns()[0] in (-1, 0, 1)
    observation = game.make_py_observer()
    observation.set_from(game.new_initial_state(), 0)
    assert observation.tensor.sum() > 0
