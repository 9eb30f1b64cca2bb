"""Searches, trees, proofs, matches, evaluators, and games written in Python."""

import os

import numpy as np
import pytest

import tesuji


def start(spec, *moves):
    state = tesuji.load_game(spec).new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


# ---------------------------------------------------------------- reports and trees


def test_a_report():
    state = start("tictactoe", "b2")
    report = state.think("mcts(solver=false)", iterations=500, seed=3)
    assert report.action in state.legal_actions() and state.action_to_string(report.action) == report.move
    assert report.iterations == 500 and report.stopped == "iterations" and report.line[0] == report.move
    assert [entry.action for entry in report.actions] == state.legal_actions()
    assert sum(entry.visits for entry in report.actions) == 500
    assert report["action"] == report.action and report.actions[0]["visits"] == report.actions[0].visits
    with pytest.raises(KeyError):
        report["no such thing"]
    again = state.think("mcts(solver=false)", iterations=500, seed=3)
    assert again.actions == report.actions and again.value == report.value
    assert report.tree is None and "mcts" not in repr(report) and report.move in str(report)


def test_the_tree_is_browsed_lazily():
    state = start("hex(size=4,swap=false)")
    report = state.think("mcts(solver=false)", iterations=3000, seed=1, tree=True)
    root = report.tree
    assert root.visits == 3000 and root.path == [] and root.move is None and root.player == 0
    children = root.children()
    assert len(children) == root.child_count == 16
    assert [child.visits for child in children] == sorted((child.visits for child in children), reverse=True)
    assert sum(child.visits for child in children) == 3000
    table = {entry.move: entry for entry in report.actions}
    for child in children:
        assert child.visits == table[child.move].visits and child.value == pytest.approx(table[child.move].value)
    best = root.child(report.line[0])
    assert best.path == report.line[:1] and best.player == 1 and best.selection["total"] == pytest.approx(
        sum(value for name, value in best.selection.items() if name != "total"))
    assert len(root.children(3)) == 3 and all(node.visits >= 100 for node in root.children(min_visits=100))
    for move in report.line[1:3]:
        best = best.child(move)
    assert best.visits > 0
    with pytest.raises(KeyError):
        root.child("z9")
    # More budget on the same tree is the search with the sum of both.
    more = root.more(1000)
    assert more.iterations == 4000 and root.visits == 4000
    assert more.actions == state.think("mcts(solver=false)", iterations=4000, seed=1).actions


def test_agents_without_a_tree_say_so():
    with pytest.raises(RuntimeError, match="no tree"):
        start("tictactoe").think("oracle", tree=True)


def test_threads_and_memory_reach_the_search():
    state = start("hex(size=5,swap=false)")
    assert state.think("mcts", iterations=2000, threads=2).iterations >= 2000
    assert state.think("mcts", iterations=20_000, memory=1 << 20).memory_bytes <= 1 << 20
    with pytest.raises(ValueError, match="threads=0"):
        state.think("mcts", iterations=10, threads=0)


# ---------------------------------------------------------------- proofs


def test_a_proof_is_verified_saved_and_browsed(tmp_path):
    state = start("hex(size=4,swap=false)", "b2")
    by_certificate = state.solve()
    assert by_certificate.verify().certificates == 1, "the game's own solver has a reason instead of moves"
    assert by_certificate.verify(rules_only=True, nodes=10).unexpanded == 1, "ten positions do not expand it"
    proof = state.solve("df-pn")
    assert proof.status == by_certificate.status
    assert proof.status in ("win", "loss") and abs(proof.value) == 1.0 and proof.bounds == (proof.value, proof.value)
    checked = proof.verify()
    assert checked.positions > 0 and checked.unexpanded == 0
    assert proof.verify(rules_only=True).certificates >= checked.certificates
    path = str(tmp_path / "hex.proof")
    proof.save(path)
    again = tesuji.Proof.load(path)
    assert again.to_bytes() == proof.to_bytes() and again.verify().positions == checked.positions
    # Every position that is listed is reached by walking the tree.
    (claim,) = proof.claims
    assert 1 < claim.size <= checked.positions
    seen, waiting = 0, [claim]
    while waiting and seen < 200:
        node = waiting.pop()
        seen += 1
        assert node.kind in ("end", "plays", "replies", "certificate")
        assert (node.certificate is not None) == (node.kind == "certificate")
        waiting.extend(node.children())
    assert seen > 1


def test_damaged_proofs_are_refused(tmp_path):
    proof = start("tictactoe", "b2", "b1").solve("df-pn")
    bytes_ = bytearray(proof.to_bytes())
    bytes_[len(bytes_) // 2] ^= 1
    with pytest.raises(ValueError):
        tesuji.Proof.from_bytes(bytes(bytes_))
    with pytest.raises(ValueError, match="tesuji proof"):
        tesuji.Proof.from_bytes(b"GIF89a")
    with pytest.raises(OSError):
        tesuji.Proof.load(str(tmp_path / "missing"))


def test_goals_and_unfinished_searches():
    state = start("tictactoe")
    assert state.solve("df-pn", goal="first-wins").reached is False
    assert state.solve("df-pn", goal="first-draws").reached is True
    with pytest.raises(ValueError, match="goal"):
        state.solve(goal="first-sings")
    open_ = start("hex(size=9,swap=false)").solve(nodes=500)
    assert open_.status == "unknown" and open_.value is None and open_.claims == []
    with pytest.raises(RuntimeError, match="no proof"):
        open_.verify()


# ---------------------------------------------------------------- matches


def test_a_match():
    game = tesuji.load_game("tictactoe")
    result = tesuji.match(game, "mcts", "random", games=10, iterations=400, openings=1, seed=5)
    assert result.first_wins + result.draws + result.second_wins == 10 and result.void == 0
    assert result.first_wins > result.second_wins and len(result.games) == 10
    assert result.games[0].opening == result.games[1].opening and result.games[0].first_began
    assert not result.games[1].first_began
    again = tesuji.match(game, "mcts", "random", games=10, iterations=400, openings=1, seed=5)
    assert [one.moves for one in again.games] == [one.moves for one in result.games]
    agent = game.agent("mcts")
    assert tesuji.match(game, agent, "random", games=2, iterations=50).void == 0
    with pytest.raises(ValueError, match="against itself"):
        tesuji.match(game, agent, agent, games=2, iterations=50)
    with pytest.raises(ValueError, match="iterations"):
        tesuji.match(game, "mcts", "random", games=2)


# ---------------------------------------------------------------- evaluators


def toy(game):
    """An evaluation that depends on the position, and the sizes of the batches it was asked for."""
    logits_, sizes = game.num_policy_logits(), []

    def evaluate(planes, globals_):
        sizes.append(len(planes))
        assert planes.dtype == np.uint8 and globals_.dtype == np.float32 and len(globals_) == len(planes)
        sums = (planes.reshape(len(planes), -1) * np.arange(planes[0].size)).sum(1).astype(np.float32)
        logits = np.sin(sums[:, None] * 0.01 + np.arange(logits_)).astype(np.float32)
        return logits, np.tanh(np.sin(sums * 0.07)).astype(np.float32)

    return evaluate, sizes


def test_batches_of_one_search_as_the_plain_evaluator():
    """The agent `zero` evaluates in Rust, one position at a time; the callback evaluates with the same network."""
    for spec in ("go(size=9)", "hex(size=6,swap=false)"):
        game = tesuji.load_game(spec)
        state, network = game.new_initial_state(), tesuji.Network(game)
        for action in state.legal_actions()[7:9]:
            state.apply_action(action)
        plain = game.agent("zero").think(state, iterations=60)
        batched = game.evaluated_agent(network.evaluate, batch=1).think(state, iterations=60)
        assert [entry.visits for entry in batched.actions] == [entry.visits for entry in plain.actions]
        assert batched.line == plain.line
        # The engine behind `zero` stores scores in steps of 1/60,000, the tree of the callback does not.
        step = 2 / 60_000
        assert abs(batched.value - plain.value) < step
        for one, other in zip(batched.actions, plain.actions):
            assert one.action == other.action and abs((one.value or 0.0) - (other.value or 0.0)) < step


def test_batches_fill_and_count_once():
    game = tesuji.load_game("hex(size=5,swap=false)")
    evaluate, sizes = toy(game)
    agent = game.evaluated_agent(evaluate, batch=16)
    report = agent.think(game.new_initial_state(), iterations=800, tree=True)
    assert report.iterations == 800 == sum(entry.visits for entry in report.actions)
    assert max(sizes) <= 16 and sizes[0] == 1 and np.mean(sizes[1:]) > 8
    assert report.figures["batches"] == len(sizes)
    assert report.figures["positions per batch"] == pytest.approx(np.mean(sizes))
    assert sum(child.visits for child in report.tree.children()) == 800
    assert all(-1 <= entry.value <= 1 for entry in report.actions if entry.visits)
    same = game.evaluated_agent(toy(game)[0], batch=16).think(game.new_initial_state(), iterations=800)
    assert same.actions == report.actions


def test_evaluators_are_called_without_copies():
    """The arrays are numpy's own and stay the same memory from batch to batch."""
    game, places = tesuji.load_game("tictactoe"), set()
    evaluate, _ = toy(game)

    def noting(planes, globals_):
        places.add(planes.__array_interface__["data"][0])
        return evaluate(planes, globals_)

    game.evaluated_agent(noting, batch=1).think(game.new_initial_state(), iterations=50)
    assert len(places) == 1


def test_evaluators_in_matches():
    game = tesuji.load_game("tictactoe")
    agent = game.evaluated_agent(toy(game)[0], batch=4)
    assert tesuji.match(game, agent, "random", games=4, iterations=32).void == 0


# ---------------------------------------------------------------- games written in Python


class Heap:
    """Take one, two or three of a heap; taking three gives another turn; who takes the last one wins. Turns need not
    alternate, so what is assumed anywhere is found."""

    def __init__(self, left=9, player=0):
        self.left, self.player, self.winner = left, player, None

    def current_player(self):
        return self.player if self.left else -4

    def legal_actions(self):
        return [action for action in (0, 1, 2) if action < self.left]

    def apply_action(self, action):
        assert action < self.left
        self.left -= action + 1
        if self.left == 0:
            self.winner = self.player
        elif action < 2:
            self.player = 1 - self.player

    def is_terminal(self):
        return self.left == 0

    def returns(self):
        if self.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    def clone(self):
        copy = Heap(self.left, self.player)
        copy.winner = self.winner
        return copy

    def action_to_string(self, action):
        return f"take {action + 1}"

    def key(self):
        return f"{self.left} {self.player} {self.winner}"

    def evaluation(self):
        return 10 if self.player == 0 else -10

    def __str__(self):
        return f"{self.left} left, player {self.player}"


class Heaps:
    name = "heap"

    def __init__(self, left=9):
        self.left = left

    def new_initial_state(self):
        return Heap(self.left)

    def num_distinct_actions(self):
        return 3


def value_of(left, memo={0: False}):
    """Whether the side to move wins."""
    if left not in memo:
        memo[left] = any(left - taken == 0 or (value_of(left - taken) if taken == 3 else not value_of(left - taken))
                         for taken in (1, 2, 3) if taken <= left)
    return memo[left]


AGENTS = ["mcts", "mcts(select=rave)", "vote", "random", "rps", "minimax(depth=12)", "alpha-beta", "oracle", "pn", "deep-pn",
          "mcpn", "ppn", "df-pn", "deep-df-pn", "cns", "expected"]


def test_all_searches_play_a_game_written_in_python():
    tried = 0
    for left in (5, 6, 9):
        game = tesuji.python_game(Heaps(left))
        state = game.new_initial_state()
        assert state.current_player() == 0 and state.legal_actions() == [0, 1, 2]
        for spec in AGENTS:
            try:
                agent = game.agent(spec)
            except ValueError as error:
                assert "no agent" in str(error), (spec, error)
                continue
            try:
                report = agent.think(state, iterations=300, nodes=3000)
            except RuntimeError as error:
                raise AssertionError((spec, error)) from error
            tried += 1
            assert report.action in state.legal_actions(), spec
            if spec in ("oracle", "df-pn", "pn"):
                assert report.bounds == ((1.0, 1.0) if value_of(left) else (-1.0, -1.0)), (spec, left)
    assert tried >= 3 * 12


def test_a_game_written_in_python_is_solved_and_verified():
    game = tesuji.python_game(Heaps(10))
    proof = game.new_initial_state().solve("df-pn")
    assert proof.status == ("win" if value_of(10) else "loss") and proof.verify().positions > 0
    with pytest.raises(RuntimeError, match="game with a spec"):
        proof.to_bytes()
    result = tesuji.match(game, "mcts", "random", games=4, iterations=100)
    assert result.void == 0 and result.games[0].moves[0].startswith("take_")
    state = game.new_initial_state().child(2)
    assert str(state) == "7 left, player 0" and state.action_to_string(0) == "take_1"
    assert state.string_to_action("take_2") == 1 and "svg" in state._repr_svg_()


def test_games_of_openspiel_for_our_searches():
    pyspiel = pytest.importorskip("pyspiel")
    game = tesuji.python_game(pyspiel.load_game("tic_tac_toe"))
    assert game.new_initial_state().child(4).child(0).solve("oracle").status == "draw"
    assert game.new_initial_state().child(4).child(1).solve("oracle").status == "win"
    ours = tesuji.load_game("tictactoe").new_initial_state()
    theirs = game.new_initial_state()
    assert theirs.think("mcts", iterations=500).value == pytest.approx(ours.think("mcts", iterations=500).value, abs=0.3)


def test_rules_that_raise_are_reported():
    class Broken(Heap):
        def apply_action(self, action):
            if self.left <= 4:
                raise ZeroDivisionError("rules of mine")
            super().apply_action(action)

        def clone(self):
            copy = Broken(self.left, self.player)
            copy.winner = self.winner
            return copy

    class Game(Heaps):
        def new_initial_state(self):
            return Broken()

    game = tesuji.python_game(Game())
    for spec in ("mcts", "df-pn", "alpha-beta", "random"):
        if spec == "random":
            continue
        with pytest.raises(ZeroDivisionError, match="rules of mine"):
            game.agent(spec).think(game.new_initial_state(), iterations=1000)
    with pytest.raises(ZeroDivisionError):
        game.new_initial_state().solve("df-pn")
    state = game.new_initial_state().child(2).child(1)
    with pytest.raises(ZeroDivisionError):
        state.apply_action(0)
    assert state.history() == [2, 1] and state.legal_actions() == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        tesuji.match(game, "mcts", "mcts", games=2, iterations=100)


def test_rules_that_make_no_sense_are_refused():
    def game(**methods):
        state = type("S", (Heap,), methods)
        return type("G", (), {"new_initial_state": lambda self: state(), "num_distinct_actions": lambda self: 3})()

    with pytest.raises(TypeError, match="new_initial_state"):
        tesuji.python_game(object())
    with pytest.raises(ValueError, match="current_player"):
        tesuji.python_game(game(current_player=lambda self: -1))
    with pytest.raises(ValueError, match="is empty"):
        tesuji.python_game(game(legal_actions=lambda self: []))
    with pytest.raises(ValueError, match="num_distinct_actions"):
        tesuji.python_game(game(legal_actions=lambda self: [3]))
    with pytest.raises(ValueError, match="returns"):
        tesuji.python_game(game(is_terminal=lambda self: True, returns=lambda self: [7.0, -7.0]))


def test_the_network_says_what_is_wrong(tmp_path):
    with pytest.raises(ValueError, match="no weights are built in"):
        tesuji.Network(tesuji.load_game("tictactoe"))
    game = tesuji.load_game("go(size=9)")
    path = tmp_path / "weights"
    path.write_bytes(os.urandom(100))
    with pytest.raises(ValueError):
        tesuji.Network(game, str(path))
    network = tesuji.Network(game)
    with pytest.raises(ValueError, match="expected planes"):
        network.evaluate(np.zeros((1, 2, 9, 9), np.uint8), np.zeros((1, 1), np.float32))
