"""The lab from Python, in one process."""

import json
import os
import subprocess
import sys

import pytest

from tesuji import lab

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "experiment.toml")


def plan(**options):
    with open(FILE, encoding="utf-8") as file:
        return lab.Plan(FILE, text=file.read(), **options)


def lines(folder):
    """What does not depend on the machine's speed."""
    return {id_: lab.timeless(line) for id_, line in lab.read_lines(folder)}


def test_plans_are_those_of_the_command_line():
    small = plan(quick=True)
    jobs = small.jobs()
    assert len(jobs) == 60 and len({id_ for id_, _ in jobs}) == 60 and small.size == "quick" and small.programs == []
    assert small.usual_folder() == "lab-results/small-match-quick"
    parts = [plan(quick=True, part=f"{part}/3").jobs() for part in (1, 2, 3)]
    assert sorted(sum(parts, [])) == sorted(jobs)
    assert any(entry["id"] == "li-table1" for entry in lab.experiments())
    with pytest.raises(ValueError, match="did you mean li-table1"):
        lab.Plan("li-tabel1")
    with pytest.raises(ValueError, match="3/64"):
        plan(part="4/3")
    with pytest.raises(ValueError, match="x.toml:1:1"):
        lab.Plan("x.toml", text="id = 3")


def test_a_job_is_a_function_of_its_text():
    id_, text = plan(quick=True).jobs()[0]
    one, two = lab.run_job(text), lab.run_job(text)
    assert json.loads(one)["id"] == id_ and lab.timeless(one) == lab.timeless(two)
    with pytest.raises(ValueError, match="not a job"):
        lab.run_job("{}")


def test_one_process_runs_resumes_and_refuses(tmp_path):
    small, told = plan(quick=True), []
    alone = [sys.executable, "-m", "tesuji.lab", "job"]
    out = str(tmp_path / "results")
    folder = lab.Folder(out, small)
    # Some lines by hand, as a cluster's driver writes them.
    waiting = folder.remaining()
    folder.append([lab.run_job(text) for _, text in waiting[:7]])
    assert folder.progress() == (60, 7, 0) and len(folder.remaining()) == 53
    with pytest.raises(ValueError, match="not waiting"):
        folder.append([lab.run_job(waiting[0][1])])
    with pytest.raises(ValueError, match="another run"):
        lab.Folder(out, small)
    assert folder.run(threads=2, alone=alone, watch=lambda *counts: told.append(counts)) == (60, 60, 0)
    assert told[-1] == (60, 60, 0)
    folder.close()
    with pytest.raises(ValueError, match="closed"):
        folder.remaining()
    assert len(lines(out)) == 60 and "60 of 60 done" in lab.report(out)
    # The command line of the module, in another folder: the same lines.
    other = str(tmp_path / "other")
    done = subprocess.run([sys.executable, "-m", "tesuji.lab", "run", FILE, "--quick", "--out", other, "--jobs", "1"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "60 of 60 jobs done" in done.stdout, done.stderr
    assert lines(other) == lines(out)


def test_one_job_from_standard_input():
    id_, text = plan(quick=True).jobs()[3]
    done = subprocess.run([sys.executable, "-m", "tesuji.lab", "job"], input=text + "\n", capture_output=True, text=True,
                          timeout=60)
    # The end of its input may end it before its answer: the driver keeps it open.
    if done.returncode == 0:
        assert json.loads(done.stdout)["id"] == id_
    from tesuji.lab import cluster

    line, why = cluster.run_alone(text, False, 60.0)
    assert why == "" and json.loads(line)["id"] == id_
    line, why = cluster.run_alone("nonsense", False, 60.0)
    assert line is None and "not a job" in why
    line, why = cluster.run_alone(text.replace('"iterations":6000', '"iterations":6000000000'), False, 0.5)
    assert line is None and "no answer" in why
