"""Games and states: OpenSpiel's names and habits, text, pickles, pictures."""

import copy
import pickle
import random
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import tesuji

GAMES = ["tictactoe", "mnk(m=4,n=4,k=3)", "go(size=5)", "hex(size=4)", "othello", "gomoku(size=7)", "connect6(size=7)",
         "xiangqi", "randomtree(depth=3)", "pgame(depth=6)"]


def known(spec):
    try:
        return tesuji.load_game(spec)
    except ValueError:
        return None


GAMES = [spec for spec in GAMES if known(spec)]


def random_state(game, generator, most=40):
    state = game.new_initial_state()
    for _ in range(generator.randrange(most)):
        if state.is_terminal():
            break
        state.apply_action(generator.choice(state.legal_actions()))
    return state


def test_enough_games_are_tried():
    assert {game.split("(")[0] for game in GAMES} >= {"tictactoe", "go", "hex", "othello", "gomoku", "connect6", "xiangqi"}


@pytest.mark.parametrize("spec", GAMES)
def test_the_laws_of_states(spec):
    game, generator = tesuji.load_game(spec), random.Random(spec)
    for _ in range(15):
        state = random_state(game, generator)
        legal, mask = state.legal_actions(), state.legal_actions_mask()
        assert legal == sorted(set(legal)) and mask.dtype == np.uint8 and len(mask) == game.num_distinct_actions()
        assert np.flatnonzero(mask).tolist() == legal
        assert state.is_terminal() == (not legal) == (state.current_player() == -4)
        assert state.rewards() == state.returns() and sum(state.returns()) == 0
        assert all(-1 <= result <= 1 for result in state.returns())
        assert state.move_number() == len(state.history())
        # Text, pickles and copies are the same state.
        for same in (game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state)), copy.copy(state),
                     copy.deepcopy(state), state.clone()):
            assert same == state and same.hash() == state.hash() and same.history() == state.history()
            assert str(same) == str(state)
        if not legal:
            with pytest.raises(IndexError, match="the game has ended"):
                state.apply_action(0)
            continue
        player = state.current_player()
        assert state.legal_actions(player) == legal and state.legal_actions(1 - player) == []
        action = generator.choice(legal)
        text = state.action_to_string(action)
        assert text == state.action_to_string(player, action)
        assert state.string_to_action(text) == action == state.string_to_action(player, text)
        seen = state.observation_tensor()
        assert list(seen.shape) == game.observation_tensor_shape() and seen.dtype == np.float32
        # An action and back.
        before, after = state.clone(), state.child(action)
        assert before == state and after != state
        after.undo_action(player, action)
        assert after == state and after.history() == state.history()


@pytest.mark.parametrize("spec", GAMES)
def test_boards_are_pictures(spec):
    state = random_state(tesuji.load_game(spec), random.Random(1), 10)
    root = xml.fromstring(state._repr_svg_())
    assert root.tag.endswith("svg") and len(root) > 0


def test_wrong_actions_say_why():
    game = tesuji.load_game("tictactoe")
    state = game.new_initial_state()
    state.apply_action(4)
    for wrong in (4, 9, -1, 10**15):
        with pytest.raises(IndexError, match="not legal here"):
            state.apply_action(wrong)
        with pytest.raises(IndexError):
            state.child(wrong)
    with pytest.raises(TypeError):
        state.apply_action("b2")
    with pytest.raises(TypeError):
        state.apply_action(1.5)
    with pytest.raises(OverflowError):
        state.apply_action(1 << 70)
    assert state.history() == [4]
    with pytest.raises(ValueError, match="off the board"):
        state.string_to_action("z9")
    with pytest.raises(ValueError, match="the last action was 4 of player 0"):
        state.undo_action(1, 4)
    with pytest.raises(ValueError, match="no action"):
        game.new_initial_state().undo_action(0, 4)
    with pytest.raises(ValueError, match="not an action"):
        game.deserialize_state("4 x")
    with pytest.raises(IndexError):
        game.deserialize_state("4 4")
    with pytest.raises(ValueError, match="no player 2"):
        state.legal_actions(2)


def test_graded_results():
    game = tesuji.load_game('tree(text="F(S(0.3 1) 0.7)")')
    state = game.new_initial_state().child(1)
    assert state.is_terminal() and state.returns() == [0.4, -0.4]
    state = game.new_initial_state().child(0).child(0)
    assert state.returns() == [-0.4, 0.4]


def test_games_compare_and_travel():
    one, two = tesuji.load_game("hex(size=5)"), tesuji.load_game("hex( size = 5 )")
    assert one == two and hash(one) == hash(two) and one != tesuji.load_game("hex(size=6)")
    assert pickle.loads(pickle.dumps(one)) == one and one.get_parameters()["size"] == 5
    assert one.short_name() == "hex" and eval(repr(one)) == one
    assert one.new_initial_state().get_game() == one
    assert "othello" in tesuji.registered_names()


@pytest.mark.parametrize("spec", ["tictactoe", "mnk(m=4,n=4,k=3)", "go(size=5)", "go(size=9)", "hex(size=5)", "hex(size=11)", "othello",
                                  "gomoku(size=15)", "gomoku(size=15,rule=renju)", "connect6(size=9)", "xiangqi"])
def test_lists_of_legal_actions_are_new_and_ascending(spec):
    """A state keeps its last list and edits it: what callers do with theirs changes nothing."""
    game, generator = tesuji.load_game(spec), random.Random(spec)
    for _ in range(6):
        state, before, movers = game.new_initial_state(), [], []
        for _ in range(150):
            # Some positions are asked more than once, some not at all.
            for _ in range(generator.choice((0, 1, 1, 1, 2))):
                legal = state.legal_actions()
                assert legal == np.flatnonzero(state.legal_actions_mask()).tolist() == state.clone().legal_actions()
                assert legal is not before and (len(legal) > 0) == (not state.is_terminal())
                generator.choice((list.clear, list.reverse, lambda found: found.append(-1), lambda found: None))(before := legal)
            if state.is_terminal():
                break
            if movers and generator.random() < 0.1:
                state.undo_action(movers.pop(), state.history()[-1])
                continue
            movers.append(state.current_player())
            state.apply_action(generator.choice(state.clone().legal_actions()))
