"""Experiments on a Ray cluster of two local nodes: losses of nodes, workers and the driver. A step of its own in .ci/run:
`pytest python/tests/cluster.py`.

`TESUJI_RAY_JOBS=full` runs the experiment of 504 jobs; in CI its small size.
"""

import json
import os
import subprocess
import sys
import time

import pytest

# Read when Ray is imported; a busy machine takes its time.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
os.environ.setdefault("RAY_agent_register_timeout_ms", "120000")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = pytest.importorskip("ray")

from tesuji import lab  # noqa: E402
from tesuji.lab import cluster  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "experiment.toml")
SIZE = [] if os.environ.get("TESUJI_RAY_JOBS") == "full" else ["--quick"]
JOBS = 60 if SIZE else 504
# Of each of the two nodes.
SLOTS = 1 if SIZE else 2


def lines(folder):
    return {id_: lab.timeless(line) for id_, line in lab.read_lines(folder)}


def raw_lines(folder):
    with open(os.path.join(folder, "results.jsonl"), encoding="utf-8") as file:
        return file.read().splitlines()


@pytest.fixture(scope="module")
def nodes():
    from ray.cluster_utils import Cluster

    for attempt in range(3):
        try:
            # Each slot costs the start of a Python process for every driver: most of the time of these tests in a small form.
            two = Cluster(initialize_head=True, head_node_args={"num_cpus": SLOTS, "include_dashboard": False})
            two.extra = two.add_node(num_cpus=SLOTS)
            break
        except Exception:  # Ray gives its own processes seconds to start, which a busy machine may not have
            if attempt == 2:
                raise
            time.sleep(5)
    two.wait_for_nodes()
    yield two
    ray.shutdown()
    two.shutdown()


def driver(nodes, out):
    """`python -m tesuji.lab run` on the cluster, as a process."""
    return subprocess.Popen([sys.executable, "-m", "tesuji.lab", "run", FILE, *SIZE, "--address", nodes.address, "--out", out,
                             "--seconds-a-task", "0.2", "--installed"],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_node_and_the_driver_are_killed(nodes, tmp_path):
    """The same set of lines as one process, nothing lost or doubled."""
    alone, out = str(tmp_path / "alone"), str(tmp_path / "cluster")
    begun = time.time()
    done = subprocess.run([sys.executable, "-m", "tesuji.lab", "run", FILE, *SIZE, "--out", alone, "--jobs", "2"],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    single = time.time() - begun

    begun, killed = time.time(), []
    first = driver(nodes, out)
    path = os.path.join(out, "results.jsonl")
    while first.poll() is None and time.time() - begun < 300:
        count = len(raw_lines(out)) if os.path.exists(path) else 0
        if count >= JOBS // 6 and not killed:
            nodes.remove_node(nodes.extra, allow_graceful=False)
            killed.append(("node", count))
        if count >= JOBS // 3 and len(killed) == 1:
            first.kill()
            killed.append(("driver", count))
            break
        time.sleep(0.01)
    first.communicate()
    assert [what for what, _ in killed] == ["node", "driver"], (killed, first.returncode)
    before = len(raw_lines(out))
    second = driver(nodes, out)
    said, errors = second.communicate(timeout=300)
    assert second.returncode == 0, errors
    assert f"{JOBS} of {JOBS} jobs done" in said, said
    found = raw_lines(out)
    ids = [json.loads(line)["id"] for line in found]
    assert len(ids) == JOBS == len(set(ids)) and before < JOBS
    assert lines(out) == lines(alone)
    print(f"\n{JOBS} jobs: one process, two threads {single:.1f} s; cluster with losses {time.time() - begun:.1f} s; "
          f"killed {killed}")


def connect(nodes):
    if not ray.is_initialized():
        ray.init(address=nodes.address, log_to_driver=False)


def test_poison_jobs_are_void_and_others_are_not(nodes, tmp_path, monkeypatch):
    """A job that kills its process is void after three deaths of its own process; the jobs beside it have lines."""
    connect(nodes)
    with open(FILE, encoding="utf-8") as file:
        plan = lab.Plan(FILE, text=file.read(), quick=True)
    folder = lab.Folder(str(tmp_path / "poison"), plan)
    poison = folder.remaining()[5]

    # The texts of jobs are refused or run; none of ours kills a process. So these two stand for the task functions.
    def group(texts, programs, bad=poison[1]):
        import os

        from tesuji import lab

        if bad in texts:
            os.abort()
        return [lab.run_job(text, allow_programs=programs) for text in texts]

    def alone(text, programs, timeout, bad=poison[1]):
        from tesuji import lab

        return (None, "exit status -6: aborted") if text == bad else (lab.run_job(text, allow_programs=programs), "")

    monkeypatch.setattr(cluster, "run_group", group)
    monkeypatch.setattr(cluster, "run_alone", alone)
    planned, done, void = cluster.run(folder, package=False, seconds_a_task=0.2)
    assert (planned, done, void) == (60, 60, 1)
    assert folder.deaths(poison[0]) == 3
    folder.close()
    line = json.loads(dict(lab.read_lines(str(tmp_path / "poison")))[poison[0]])
    assert "died 3 times" in line["void"] and "result" not in line


TRAVELS = """
import sys, ray
from tesuji import lab
from tesuji.lab import cluster

file, address, out = sys.argv[1:]
with open(file, encoding="utf-8") as text:
    folder = lab.Folder(out, lab.Plan(file, text=text.read(), quick=True))
# The driver sends its package unless it is told otherwise: as `python -m tesuji.lab run --address` without `--installed`.
print(cluster.run(folder, address=address))
print("from", ray.get(ray.remote(lambda: __import__("tesuji").__file__).remote()))
"""


def test_the_package_travels(nodes, tmp_path):
    """Workers import the copy of the package that came with the job, not one that is installed."""
    out = str(tmp_path / "travels")
    process = subprocess.run([sys.executable, "-c", TRAVELS, FILE, nodes.address, out], capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    assert "(60, 60, 0)" in process.stdout and "runtime_resources" in process.stdout, (process.stdout, process.stderr)
    assert len(lines(out)) == 60


def test_short_jobs_are_grouped():
    sizes = cluster.Sizes(2.0)
    assert sizes.next(10_000, 4) == 1, "nothing is known at first"
    sizes.saw(0.05, 10)  # 5 ms each
    assert sizes.next(10_000, 4) == 400
    assert sizes.next(100, 4) == 12, "an equal share of what is left"
    sizes.saw(1000.0, 10)
    assert sizes.next(10_000, 4) == 1
