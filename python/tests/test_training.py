"""Tests of training; they need JAX. `python python/tests/test_training.py`"""

import contextlib
import errno
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path
from unittest import mock

import jax.numpy as jnp
import numpy as np

import tesuji
from tesuji.zero import checkpoint, curves, exam, gate, network, play, weights
from tesuji.zero.__main__ import main
from tesuji.zero.config import Config, Net
from tesuji.zero.train import Trainer

QUICK = ["train.minimum=512", "train.chunk=256", "play.games=64", "play.simulations=8"]


def run(*arguments, before=""):
    """The command in a process of its own, after some words to the shell."""
    words = [sys.executable, "-m", "tesuji.zero", *map(str, arguments)]
    return subprocess.Popen(["bash", "-c", before + 'exec "$@"', "bash", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def quick(folder, *more):
    return ["train", "tictactoe", "--out", folder, *(word for change in QUICK for word in ("--set", change)), *more]


class Runs(unittest.TestCase):
    """One folder with a short run, which the tests damage in copies."""

    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.keeper.cleanup)
        cls.base = Path(cls.keeper.name) / "base"
        cls.config = Config.load("tictactoe", QUICK)
        cls.lines = []
        cls.trainer = Trainer(cls.config, cls.base, log=cls.lines.append)
        cls.trainer.train(minutes=5, most_positions=9_000, report_every=1.0)

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("checkpoint.npz", "weights.tzw", "log.jsonl"):
            (self.folder / name).write_bytes((self.base / name).read_bytes())
        self.path = self.folder / "checkpoint.npz"
        self.whole = self.path.read_bytes()

    def assert_untouched(self):
        self.assertEqual(self.path.read_bytes(), self.whole)
        self.assertEqual(list(self.folder.glob("*.new*")), [])

    def test_a_run_is_resumed(self):
        first, last = self.trainer.facts["positions"], self.trainer.step
        self.assertGreater(last, 50)
        again = Trainer(self.config, self.folder, log=self.lines.append)
        self.assertEqual((again.facts["positions"], again.step), (first, last))
        for part in ("params", "average"):
            np.testing.assert_array_equal(again.state[part]["stem"], self.trainer.state[part]["stem"])
        again.train(minutes=5, most_positions=2_000, report_every=1.0)
        self.assertGreater(again.facts["positions"], first)
        _, shape, net, encoding, note = weights.decode((self.folder / "weights.tzw").read_bytes())
        self.assertEqual((shape.moves, net, encoding), (9, self.config.net, "view-1"))
        self.assertIn("tictactoe", note)
        copy = self.folder / "copy.tzw"
        with mock.patch.object(sys, "argv", ["zero", "export", str(self.path), "--to", str(copy)]):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                main()
        self.assertEqual(copy.read_bytes(), (self.folder / "weights.tzw").read_bytes())
        self.assertEqual(out.getvalue().strip(), note)

    def test_a_seed_repeats_a_run(self):
        def trained(seed):
            config = Config.load("tictactoe", [*QUICK, f"seed={seed}"])
            trainer = Trainer(config, self.folder / f"seed{seed}-{time.monotonic_ns()}", log=lambda _: None)
            trainer.train(minutes=5, most_positions=3_000)
            return (trainer.out / "weights.tzw").read_bytes()[60:]

        one = trained(1)
        # The note tells the time that was used; the tensors are the last part of the file.
        self.assertEqual(one[-4_000:], trained(1)[-4_000:])
        self.assertNotEqual(one[-4_000:], trained(2)[-4_000:])

    def test_a_run_goes_on_from_a_packed_checkpoint(self):
        target = self.folder / "packed" / "checkpoint.npz"
        with mock.patch.object(sys, "argv", ["zero", "pack", str(self.path), "--to", str(target)]):
            with contextlib.redirect_stdout(io.StringIO()):
                main()
        self.assertLess(target.stat().st_size, 0.5 * len(self.whole))
        again = Trainer(self.config, target.parent, log=lambda _: None)
        self.assertEqual((again.facts["positions"], again.step), (self.trainer.facts["positions"], self.trainer.step))
        self.assertEqual(again.facts["seconds"], self.trainer.facts["seconds"])
        for part in ("params", "average", "second"):
            for name, value in self.trainer.state[part].items():
                np.testing.assert_allclose(again.state[part][name], value, rtol=1e-2, atol=1e-6, err_msg=f"{part}/{name}")
        np.testing.assert_array_equal(again.accepted["stem"], again.state["average"]["stem"])
        again.train(minutes=5, most_positions=600)
        self.assertGreater(again.facts["positions"], self.trainer.facts["positions"])
        # What is not a number in half precision either is not packed.
        state, facts = checkpoint.load(self.path)
        state["params"]["stem"] = state["params"]["stem"] + 1e6
        with self.assertRaisesRegex(checkpoint.Diverged, "stem"):
            checkpoint.save(target, state, facts, packed=True)

    def test_a_killed_run_goes_on(self):
        out = self.folder / "killed"
        process = run(*quick(out, "--save-every", 0.2, "--minutes", 5))
        deadline = time.monotonic() + 120
        while not (out / "checkpoint.npz").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        state, facts = checkpoint.load(out / "checkpoint.npz")
        self.assertEqual(state["params"].keys(), state["gate"].keys())
        again = Trainer(self.config, out, log=lambda _: None)
        self.assertEqual((again.facts["positions"], again.facts["runs"]), (facts["positions"], 2))
        again.train(minutes=5, most_positions=600)
        self.assertGreater(again.facts["positions"], facts["positions"])

    def test_a_full_disk_leaves_the_last_checkpoint(self):
        # No file may grow beyond 8 KiB: writing a checkpoint fails as on a full disk.
        self.assertGreater(len(self.whole), 8_192)
        process = run(*quick(self.folder, "--positions", 1_000, "--save-every", 0.1), before="ulimit -f 8;")
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("could not be written", errors)
        self.assertIn("the last checkpoint there is whole", errors)
        self.assertNotIn("Traceback", errors)
        self.assert_untouched()

    def test_a_failure_of_the_disk_leaves_nothing_beside(self):
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "full")), self.assertRaises(OSError):
            checkpoint.write_atomically(self.path, b"half a checkpoint")
        self.assert_untouched()

    def test_a_diverged_network_is_not_saved(self):
        trainer = Trainer(self.config, self.folder, log=lambda _: None)
        trainer.state["params"]["stem"] = trainer.state["params"]["stem"] * jnp.nan
        with self.assertRaisesRegex(checkpoint.Diverged, "stem"):
            trainer.save()
        self.assert_untouched()
        trainer.playing = {name: value * jnp.nan for name, value in trainer.playing.items()}
        with self.assertRaisesRegex(ValueError, "diverged"):
            trainer.train(minutes=1)
        self.assert_untouched()

    def test_a_device_that_disappears_ends_the_run(self):
        config = Config.load("tictactoe", [*QUICK, "play.synchronous=false"])
        trainer = Trainer(config, self.folder, log=lambda _: None)
        working, calls = trainer.infer, []

        def lost(*arguments):
            calls.append(arguments)
            if len(calls) > 20:
                raise RuntimeError("the device is gone")
            return working(*arguments)

        trainer.infer = lost
        with self.assertRaisesRegex(RuntimeError, "the device is gone"):  # from a thread of self-play
            trainer.train(minutes=1)
        self.assert_untouched()
        words = ["zero", "train", "tictactoe", "--out", str(self.folder)]
        with mock.patch.object(Trainer, "train", side_effect=RuntimeError("the device is gone")), \
                mock.patch.object(sys, "argv", words), self.assertRaisesRegex(SystemExit, "device is gone; .* is the last checkpoint"):
            main()
        self.assert_untouched()

    def test_damaged_checkpoints_are_refused(self):
        size = len(self.whole)
        cuts = [self.whole[:length] for length in (0, 1, 30, size // 2, size - 30, size - 1)]
        places = range(40, size - 3_000, size // 19)
        changes = [self.whole[:at] + bytes([self.whole[at] ^ 0x55]) + self.whole[at + 1 :] for at in places]
        for bad in (*cuts, b"not a checkpoint", bytes(size)):
            self.path.write_bytes(bad)
            with self.assertRaisesRegex(SystemExit, "not a whole checkpoint"):
                Trainer(self.config, self.folder)
            self.assertEqual(self.path.read_bytes(), bad)
        refused, (whole, _) = 0, checkpoint.load(self.base / "checkpoint.npz")
        for bad in changes:
            self.path.write_bytes(bad)
            try:
                read, _ = checkpoint.load(self.path)
            except SystemExit as error:
                self.assertIn("not a whole checkpoint", str(error))
                refused += 1
            else:  # a byte that no reader looks at, such as a time stamp: the contents are checksummed
                for part in ("params", "average", "gate", "first", "second"):
                    for name, value in whole[part].items():
                        np.testing.assert_array_equal(read[part][name], value)
        self.assertGreater(refused, len(changes) // 2)
        buffer = io.BytesIO()
        np.savez(buffer, facts=np.frombuffer(json.dumps({"version": 99}).encode(), np.uint8))
        self.path.write_bytes(buffer.getvalue())
        with self.assertRaisesRegex(SystemExit, "version 99"):
            Trainer(self.config, self.folder)

    def test_checkpoints_of_other_runs_are_refused(self):
        with self.assertRaisesRegex(SystemExit, r"another network.*\(3, 3, 16, 16\).*\(3, 3, 24, 24\)"):
            Trainer(Config.load("tictactoe", [*QUICK, "net.channels=24"]), self.folder)
        with self.assertRaisesRegex(SystemExit, "belongs to tictactoe.*this run to hex"):
            Trainer(Config.load("hex5"), self.folder)
        self.assert_untouched()

    def test_the_command_says_what_was_wrong(self):
        self.path.write_bytes(self.whole[:1_000])
        process = run(*quick(self.folder))
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertIn("not a whole checkpoint", errors)
        self.assertNotIn("Traceback", errors)

    def test_two_runs_do_not_share_a_folder(self):
        words = ["zero", "train", "tictactoe", "--out", str(self.folder)]
        with checkpoint.only_run(self.folder), mock.patch.object(sys, "argv", words), \
                self.assertRaisesRegex(SystemExit, "another run trains in"):
            main()
        self.assert_untouched()
        with checkpoint.only_run(self.folder):  # the claim has ended with the first
            pass

    def test_wrong_settings_are_refused(self):
        for change, reason in (("train.rat=1", "unknown setting"), ("train=1", "unknown setting"), ("play.games=few", "must be int"),
                               ("play.synchronous=maybe", "must be bool"), ("x.y.z=1", "unknown setting")):
            with self.assertRaisesRegex(SystemExit, reason):
                Config.load("tictactoe", [change])
        file = self.folder / "broken.toml"
        file.write_text("game = ")
        with self.assertRaisesRegex(SystemExit, "not TOML"):
            Config.load(str(file))
        with self.assertRaisesRegex(SystemExit, "one of .*tictactoe"):
            Config.load("checkers")

    def test_damaged_weights_are_refused(self):
        game = tesuji.load_game("tictactoe")
        file = self.folder / "weights.tzw"
        data = file.read_bytes()
        spec = f"zero(weights={json.dumps(str(file))})"
        self.assertIn(game.agent(spec).think(game.new_initial_state(), iterations=4)["action"], range(9))
        for at in (0, 9, 13, 17, 30, 100, len(data) - 1):
            file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with self.assertRaises(ValueError):
                weights.decode(file.read_bytes())
            with self.assertRaisesRegex(ValueError, "weights.tzw: "):
                game.agent(spec)
        for bad in (data[:-1], data[:40], b"", data + b"\0"):
            file.write_bytes(bad)
            with self.assertRaises(ValueError):
                weights.decode(bad)
            with self.assertRaisesRegex(ValueError, "weights.tzw: "):
                game.agent(spec)
        # Whole weights, of another game and of another shape.
        file.write_bytes(data)
        hexes = tesuji.load_game("hex(size=5)")
        with self.assertRaisesRegex(RuntimeError, "view-1.*hex-1"):
            hexes.agent(spec).think(hexes.new_initial_state(), iterations=4)
        other = tesuji.load_game("mnk(m=4,n=4,k=3)")
        self.assertEqual(other.encoding(), "view-1")
        with self.assertRaisesRegex(RuntimeError, "for tensors of.*rows: 3.*this game has.*rows: 4"):
            other.agent(spec).think(other.new_initial_state(), iterations=4)

    def test_a_match_is_fair_and_training_wins_it(self):
        t = self.trainer
        first = {name: jnp.asarray(value) for name, value in network.initial(t.shape, t.config.net, 1).items()}

        def match(one, other):
            return gate.match(t.game, t.shape, t.config.play, t.infer, one, other, games=128, simulations=8, seed=5)

        score = match(t.playing, first)
        self.assertEqual(score.games, 128)
        self.assertGreater(score.share, 0.6)
        self.assertGreater(score.elo, 50)
        mirrored = match(first, t.playing)
        self.assertLess(mirrored.share, 0.4)
        same = match(first, first)
        self.assertTrue(0.35 < same.share < 0.65, same)

    def test_gating_keeps_the_better_weights(self):
        config = Config.load("tictactoe", [*QUICK, "gate.games=64", "gate.every=8", "gate.simulations=4"])
        lines = []
        trainer = Trainer(config, self.folder / "gated", log=lines.append)
        with mock.patch("tesuji.zero.gate.match", return_value=gate.Score(10, 4, 50)):
            trainer.train(minutes=5, most_positions=1_500)
        lines = [json.loads(line) for line in lines]
        gates = [line for line in lines if "gate" in line]
        self.assertTrue(gates and all(line["gate"] == "failed" and line["elo"] == 0 for line in gates))
        file = self.folder / "gated" / "weights.tzw"
        stem = weights.decode(file.read_bytes())[0]["stem"]
        np.testing.assert_array_equal(stem, network.initial(trainer.shape, config.net, 1)["stem"].astype(np.float16))
        again = Trainer(config, self.folder / "gated", log=lambda _: None)
        with mock.patch("tesuji.zero.gate.match", return_value=gate.Score(50, 4, 10)):
            again.train(minutes=5, most_positions=600)
        self.assertGreater(again.facts["elo"], 100)
        stem = weights.decode(file.read_bytes())[0]["stem"]
        np.testing.assert_array_equal(stem, np.asarray(again.state["average"]["stem"]).astype(np.float16))
        _, facts = checkpoint.load(file.with_name("checkpoint.npz"))
        self.assertEqual(facts["elo"], again.facts["elo"])

    def test_learning_curves_are_drawn(self):
        lines = curves.read(self.folder / "log.jsonl")
        lines.append({"positions": 9_000, "elo": 120.5, "gate": "passed"})
        lines.append({"positions": 9_500, "elo": 160.0, "gate": "passed"})
        page = xml.etree.ElementTree.fromstring(curves.draw(lines, "a & b"))
        polylines = page.findall("{http://www.w3.org/2000/svg}polyline")
        self.assertGreaterEqual(len(polylines), 5)
        for line in polylines:
            for pair in line.get("points").split():
                x, y = map(float, pair.split(","))
                self.assertTrue(0 <= x <= float(page.get("width")) and 0 <= y <= float(page.get("height")))
        log = self.folder / "log.jsonl"
        log.write_text(log.read_text() + '{"positions": 12')  # cut off by a kill
        self.assertEqual(len(curves.read(log)), len(lines) - 2)
        with self.assertRaisesRegex(SystemExit, "nothing to draw"):
            curves.draw([], "empty")


class Exams(unittest.TestCase):
    def test_the_oracle_knows_tictactoe(self):
        game = tesuji.load_game("tictactoe")
        oracle = exam.Oracle(game)
        positions = oracle.open_positions()
        self.assertEqual((len(positions), oracle.value(oracle.start)), (4_520, 0.0))
        agent = game.agent("oracle")
        for state in positions[::97]:
            self.assertEqual(agent.think(state)["bounds"], (oracle.value(state),) * 2)

    def test_every_optimal_reply_is_met(self):
        game = tesuji.load_game("tictactoe")
        oracle = exam.Oracle(game)
        for side in (0, 1):
            ends, losses = exam.against_optimal_replies(oracle, lambda state: oracle.optimal(state)[0], side)
            self.assertTrue(ends > 1 and losses == 0)
            # The first free square loses against best play.
            _, losses = exam.against_optimal_replies(oracle, lambda state: state.legal_actions()[0], side)
            self.assertGreater(losses, 0)

    def test_openings_of_hex(self):
        game = tesuji.load_game("hex(size=3,swap=false)")
        lines = list(exam.by_openings(game, {"solver": "hex-solver", "mcts": exam.CLASSICAL}, 2_000, 1, "..BBBBB.."))
        self.assertTrue(lines[0]["passed"], lines)
        self.assertEqual(lines, list(exam.by_openings(game, {"solver": "hex-solver", "mcts": exam.CLASSICAL}, 2_000, 1)))
        with self.assertRaises(SystemExit):
            list(exam.by_openings(game, {}, 1, 1, "B"))

    def test_untrained_networks_do_not_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            config = Config.load("tictactoe")
            file = Path(folder) / "untrained.tzw"
            file.write_bytes(exam.untrained(config, tesuji.load_game("tictactoe")))
            lines = exam.examine(config, file)
            self.assertEqual([line["passed"] for line in lines], [False] * 3)
            self.assertEqual(lines[0]["positions"], 4_520)
            output = io.StringIO()
            words = ["zero", "exam", "tictactoe", "--weights", str(file)]
            with contextlib.redirect_stdout(output), mock.patch.object(sys, "argv", words), \
                    self.assertRaisesRegex(SystemExit, "did not pass"):
                main()
            self.assertEqual([json.loads(line) for line in output.getvalue().splitlines()], lines)


class Configurations(unittest.TestCase):
    def test_every_configuration_plays(self):
        folder = Path(tesuji.zero.__file__).parent / "configs"
        names = sorted(path.stem for path in folder.glob("*.toml"))
        self.assertGreater(len(names), 5)
        for name in names:
            config = Config.load(name)
            game = tesuji.load_game(config.game)
            shape = network.Shape(*game.tensor_shape())
            tensors = network.tensors(shape, config.net)
            self.assertLess(2 * sum(int(np.prod(size)) for _, size in tensors), 3_000_000, f"{name}: weights beyond 3 MB")
            batch = play.Batch(play.make(game, config.play, games=2, threads=1, seed=1, simulations=2), shape, 2)
            rng = np.random.default_rng(1)
            moves = 0
            for _ in range(2_000):
                logits = jnp.asarray(rng.normal(size=(2, shape.moves)).astype(np.float32))
                if batch.advance(lambda *_: (logits, jnp.zeros(2))) is not None:
                    moves = batch.tally["moves"]
                    break
            self.assertGreater(moves, 0, name)


class Files(unittest.TestCase):
    def test_weights_are_read_as_they_were_written(self):
        shape, net = network.Shape(3, 3, 3, 1, 9, True), Net(1, 4, 2, 2)
        params = network.initial(shape, net, 1)
        data = weights.encode(params, shape, net, "view-1", "a note")
        self.assertEqual(weights.decode(data)[1:], (shape, net, "view-1", "a note"))
        for bad in (data[:-1], data + b"\0", data[:30] + bytes([data[30] ^ 1]) + data[31:], b"something"):
            with self.assertRaises(ValueError):
                weights.decode(bad)

    def test_checkpoints_of_version_1_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            params = {"a": np.ones((2, 2), np.float32)}
            state = {"step": np.int32(3), "params": params, "average": params, "first": params, "second": params, "gate": {}}
            path = Path(folder) / "checkpoint.npz"
            with mock.patch.object(checkpoint, "VERSION", 1):
                checkpoint.save(path, state, {"positions": 7})
            read, facts = checkpoint.load(path)
            self.assertEqual((facts["version"], facts["positions"], int(read["step"])), (1, 7, 3))
            np.testing.assert_array_equal(read["gate"]["a"], params["a"])


if __name__ == "__main__":
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    unittest.main()
