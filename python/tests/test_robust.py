"""What goes wrong gives a clear exception: no abort, no hang. Cases that could end a process run in one of their own."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tesuji

# A shell that starts the tests in the background has them ignore Ctrl-C, and every process below them. These need it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A search that would go on for minutes.
LONG = {"iterations": 10**9}


def run(code, *, timeout=60, check=True):
    """Runs code in a process of its own: its exit status and what it said."""
    done = subprocess.run([sys.executable, "-c", "import tesuji\n" + code], capture_output=True, text=True, timeout=timeout)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def evaluated(function, game="tictactoe", **options):
    game = tesuji.load_game(game)
    return game.evaluated_agent(function, **options), game.new_initial_state()


# ---------------------------------------------------------------- evaluators


@pytest.mark.parametrize("answer, error, text", [
    (lambda n: None, TypeError, r"must answer \(logits, values\), not NoneType"),
    (lambda n: (1, 2, 3), TypeError, "logits, values"),
    (lambda n: (np.zeros((n, 8), np.float32), np.zeros(n, np.float32)), ValueError, r"logits have the shape \[1, 8\]"),
    (lambda n: (np.zeros((n, 9), np.float32), np.zeros(n + 1, np.float32)), ValueError, r"values have the shape \[2\]"),
    (lambda n: (np.zeros((n, 9), np.float32), np.full(n, np.nan, np.float32)), ValueError, "not a finite number"),
    (lambda n: ("logits", "values"), ValueError, "could not convert"),
])
def test_wrong_answers_of_evaluators(answer, error, text):
    agent, state = evaluated(lambda planes, globals_: answer(len(planes)))
    with pytest.raises(error, match=text):
        agent.think(state, iterations=50)


def test_exceptions_of_evaluators_come_back():
    calls = []

    def failing(planes, globals_):
        calls.append(len(planes))
        if len(calls) == 5:
            raise LookupError("the network is gone")
        return np.zeros((len(planes), 9)), np.zeros((len(planes), 1))  # float64, a column: converted

    agent, state = evaluated(failing, batch=2)
    with pytest.raises(LookupError, match="the network is gone"):
        agent.think(state, iterations=200)
    # The agent still serves.
    assert agent.think(state, iterations=20).iterations == 20
    with pytest.raises(TypeError, match="callable"):
        tesuji.load_game("tictactoe").evaluated_agent(3)
    with pytest.raises(ValueError, match="batch"):
        tesuji.load_game("tictactoe").evaluated_agent(failing, batch=0)


def test_evaluators_cannot_use_their_own_agent():
    def asking(planes, globals_):
        agent.think(state, iterations=5)

    agent, state = evaluated(asking)
    with pytest.raises(RuntimeError, match="searching in another thread"):
        agent.think(state, iterations=5)


def test_wrong_arrays():
    game = tesuji.load_game("tictactoe")
    games = tesuji.VectorState(game, 4)
    with pytest.raises(ValueError, match="expected 4 actions"):
        games.step(np.zeros(3, np.int64))
    with pytest.raises(TypeError):
        games.step(np.zeros(4, np.float32))
    with pytest.raises(IndexError, match="game 2: action 9"):
        games.step(np.array([0, 1, 9, 2]))
    assert games.legal_actions_mask().sum() == 36, "nothing was played"
    with pytest.raises(IndexError, match="action -1"):
        games.step(np.array([0, -1, 1, 2]))
    with pytest.raises(ValueError, match="positive"):
        tesuji.VectorState(game, 0)


# ---------------------------------------------------------------- threads


def test_searches_run_beside_python():
    """The interpreter lock is free during a search: this thread counts while another one searches."""
    state = tesuji.load_game("hex(size=9)").new_initial_state()
    done = []
    thread = threading.Thread(target=lambda: done.append(state.think("mcts", seconds=0.5)))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0)
    thread.join()
    assert done[0].iterations > 0 and counted > 100


def test_an_agent_serves_one_thread_at_a_time():
    game = tesuji.load_game("hex(size=9)")
    agent, state, began = game.agent("mcts"), game.new_initial_state(), threading.Event()

    def search():
        began.set()
        agent.think(state, seconds=1.0)

    thread = threading.Thread(target=search)
    thread.start()
    began.wait()
    time.sleep(0.2)
    with pytest.raises(RuntimeError, match="give each thread an agent of its own"):
        agent.think(state, iterations=10)
    thread.join()
    assert agent.think(state, iterations=10).iterations == 10


def test_a_state_that_is_searched_cannot_be_changed():
    state = tesuji.load_game("hex(size=9,swap=false)").new_initial_state()
    thread = threading.Thread(target=lambda: state.think("mcts", seconds=1.0))
    thread.start()
    time.sleep(0.3)
    # It can be read and copied.
    assert len(state.legal_actions()) == 81 and state.clone().child(3).move_number() == 1
    for change in (lambda: state.apply_action(3), lambda: state.undo_action(0, 3)):
        with pytest.raises(RuntimeError, match="searched in another thread; play on a copy"):
            change()
    thread.join()
    state.apply_action(3)
    state.undo_action(0, 3)
    assert state.history() == []


def test_states_in_many_threads():
    game, wrong = tesuji.load_game("othello"), []

    def play(seed):
        try:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[(seed * 7 + state.move_number()) % len(legal)])
            assert sum(state.returns()) == 0
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_tree_that_is_searched_is_busy():
    """Looking into it from another thread says so, and nobody waits for the other: its rules may want the interpreter."""
    report = tesuji.load_game("hex(size=9)").new_initial_state().think("mcts(solver=false)", iterations=100, tree=True)
    thread = threading.Thread(target=lambda: report.tree.more(60_000))
    thread.start()
    said = set()
    while thread.is_alive():
        try:
            said.add(report.tree.visits >= 100)
        except RuntimeError as error:
            said.add(str(error))
        time.sleep(0.001)
    thread.join()
    assert "the tree is in use by another thread" in said and report.tree.visits == 60_100


# ---------------------------------------------------------------- Ctrl-C


INTERRUPTED = """
import os, signal, threading, time
state = tesuji.load_game("hex(size=9)").new_initial_state()
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begun = time.time()
try:
    {what}
except KeyboardInterrupt:
    print("stopped", time.time() - begun < 20)
# The interpreter is whole.
print(state.think("mcts", iterations=10).iterations)
"""


@pytest.mark.parametrize("what", [
    "state.think('mcts', iterations=10**9)",
    "state.think('mcts', iterations=10**9, threads=2)",
    "state.solve('df-pn')",
    "tesuji.match(state.get_game(), 'mcts', 'mcts', games=1000, iterations=10**6)",
    "state.get_game().evaluated_agent(lambda p, g: (__import__('numpy').zeros((len(p), 82), 'f4'), "
    "__import__('numpy').zeros(len(p), 'f4'))).think(state, iterations=10**6)",
])
def test_ctrl_c_stops(what):
    assert run(INTERRUPTED.format(what=what)).stdout.split() == ["stopped", "True", "10"]


# ---------------------------------------------------------------- fork and exit


def test_fork_while_another_thread_searches():
    code = """
import os, threading, time
game = tesuji.load_game("hex(size=9)")
agent, state = game.agent("mcts"), game.new_initial_state()
thread = threading.Thread(target=lambda: agent.think(state, seconds=2.0))
thread.start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    # Its own searches work; the agent whose thread is in the parent says that it is busy.
    assert state.think("mcts", iterations=100).iterations == 100
    try:
        agent.think(state, iterations=10)
    except RuntimeError as error:
        assert "another thread" in str(error)
        raise SystemExit(7)
    raise SystemExit(8)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
thread.join()
"""
    assert run(code).stdout.split() == ["7"]


def test_fork_of_a_pool():
    code = """
import multiprocessing
def search(seed):
    return tesuji.load_game("tictactoe").new_initial_state().think("mcts", iterations=200, seed=seed).move
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(search, range(6))
    print(found == [search(seed) for seed in range(6)])
"""
    assert run(code).stdout.split() == ["True"]


def test_the_interpreter_exits_during_searches():
    """Daemon threads are in the middle of searches when the main thread ends."""
    code = """
import threading, time
import numpy
def search():
    state = tesuji.load_game("hex(size=9)").new_initial_state()
    while True:
        state.think("mcts", iterations=10**9)
def evaluate():
    game = tesuji.load_game("hex(size=9,swap=false)")
    agent = game.evaluated_agent(lambda p, g: (numpy.zeros((len(p), game.num_policy_logits()), "f4"), numpy.zeros(len(p), "f4")))
    while True:
        agent.think(game.new_initial_state(), seconds=1000.0)
for target in (search, search, evaluate):
    threading.Thread(target=target, daemon=True).start()
time.sleep(0.5)
print("end of main", flush=True)
"""
    for _ in range(3):
        done = run(code, timeout=60, check=False)
        assert done.stdout.split() == ["end", "of", "main"] and done.returncode == 0, (done.returncode, done.stderr[-2000:])


def test_exit_by_exception_and_signal_during_a_search():
    done = run("tesuji.load_game('hex(size=9)').new_initial_state().think('mcts')", check=False)
    assert done.returncode == 1 and "ValueError" in done.stderr
    process = subprocess.Popen([sys.executable, "-c", "import tesuji\nprint('begun', flush=True)\n"
                                "tesuji.load_game('hex(size=9)').new_initial_state().think('mcts', iterations=10**9)"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode in (1, 130, -signal.SIGINT) and "KeyboardInterrupt" in errors


def test_python_games_stop_too():
    code = """
import os, signal, threading
class S:
    def __init__(self, n=0): self.n = n
    def current_player(self): return self.n % 2
    def legal_actions(self): return list(range(9))
    def apply_action(self, a): self.n += 1
    def is_terminal(self): return self.n >= 60
    def returns(self): return [1.0, -1.0]
    def clone(self): return S(self.n)
class G:
    def new_initial_state(self): return S()
    def num_distinct_actions(self): return 9
state = tesuji.python_game(G()).new_initial_state()
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    state.think("mcts(solver=false)", iterations=10**9)
except KeyboardInterrupt:
    print("stopped")
"""
    assert run(code).stdout.split() == ["stopped"]
