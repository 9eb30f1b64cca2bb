"""The jobs of a folder on a Ray cluster.

What is durable is ours: the plan, and the lines of `results.jsonl`, which this process alone appends. The cluster runs tasks;
a task is a group of jobs, each a pure function of its text, so a task that is lost is run again and comes out the same.

    remaining jobs -> groups -> tasks in flight (bounded) -> lines -> results.jsonl

* **Groups.** Jobs of milliseconds would drown in the cost of a task. The mean time of the jobs so far, and the number of
  jobs left, decide how many go into a task: about `seconds_a_task` of work, never more than an equal share of what is left.
* **Back-pressure.** At most `AHEAD` tasks for each processor of the cluster are in flight; processors that come or go are
  noticed with every answer.
* **Losses.** Ray itself retries nothing. A task whose worker or node is lost goes back to the queue job by job, as suspects:
  each runs in a process of its own on some worker (`python -m tesuji.lab job`), and only the death or time-out of that process
  counts against the job. After `most_deaths()` of them it is void. The loss of a node counts for no job; a job whose
  worker is lost `MOST_LOSSES` times while it runs alone is void too, so that nothing runs for ever.
* **The driver** may die at any moment: what has a line is done, the same command runs the rest.
* **What travels.** The installed package (its folder, with the native library) is sent to the nodes by Ray, unless they have
  it; jobs are text. Nothing else is assumed there.
"""

from __future__ import annotations

import collections
import os
import subprocess
import sys
import time
from typing import Any, Callable

import tesuji
from tesuji import lab

# Tasks in flight for each processor of the cluster.
AHEAD = 2
# A job whose worker was lost this often while it ran alone is void.
MOST_LOSSES = 10
# Lines are written at least this often, in seconds.
GAP = 0.1

Job = tuple[str, str]


def run_group(texts: list[str], allow_programs: bool) -> list[str]:
    """Runs jobs one after the other: a task of the cluster."""
    from tesuji import lab

    return [lab.run_job(text, allow_programs=allow_programs) for text in texts]


def run_alone(text: str, allow_programs: bool, timeout: float) -> tuple[str | None, str]:
    """Runs a job in a process of its own. Answers its line, or None and how the process died."""
    command = [sys.executable, "-m", "tesuji.lab", "job"] + (["--allow-programs"] if allow_programs else [])
    # The package may have come with the task, and is then found by this process alone.
    import tesuji

    home = os.path.dirname(os.path.dirname(os.path.abspath(tesuji.__file__)))
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    assert process.stdin is not None and process.stdout is not None
    try:
        # Its input stays open: it ends with this process, however this one ends.
        process.stdin.write(text + "\n")
        process.stdin.flush()
        line, words = wait_for(process, timeout)
    except (TimeoutError, BrokenPipeError, OSError) as error:
        process.kill()
        process.wait()
        return None, str(error) or type(error).__name__
    if process.returncode != 0 or not line.strip():
        last = ([""] + [word for word in words.splitlines() if word.strip()])[-1][:300]
        return None, f"exit status {process.returncode}: {last}"
    return line.strip(), ""


def wait_for(process: subprocess.Popen, timeout: float) -> tuple[str, str]:
    """What a process says, once it has ended; its input stays open until then."""
    import threading

    said: dict[str, str] = {}

    def read(name: str, stream: Any) -> None:
        said[name] = stream.read()

    threads = [threading.Thread(target=read, args=pair, daemon=True)
               for pair in (("out", process.stdout), ("err", process.stderr))]
    for thread in threads:
        thread.start()
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"no answer after {timeout:g} s") from None
    for thread in threads:
        thread.join(10)
    return said.get("out", ""), said.get("err", "")


class Sizes:
    """How many jobs go into a task."""

    def __init__(self, seconds_a_task: float):
        self.wanted, self.seconds, self.jobs = seconds_a_task, 0.0, 0

    def saw(self, seconds: float, jobs: int) -> None:
        self.seconds, self.jobs = self.seconds + seconds, self.jobs + jobs

    def next(self, left: int, slots: int) -> int:
        share = max(1, left // max(1, 2 * slots))
        if self.jobs == 0:
            return 1
        mean = max(1e-6, self.seconds / self.jobs)
        return max(1, min(int(self.wanted / mean), share, 10_000))


def start(address: str, package: bool) -> None:
    """Connects to a cluster; `local` starts one in this machine."""
    import ray

    options: dict[str, Any] = {"log_to_driver": False, "ignore_reinit_error": True}
    if package:
        # The package as it is installed here, with its native library.
        options["runtime_env"] = {"py_modules": [os.path.dirname(os.path.abspath(tesuji.__file__))]}
    if address != "local":
        options["address"] = address
    ray.init(**options)


def run(folder: lab.Folder, *, address: str = "auto", allow_programs: bool = False, timeout: float = 3600.0,
        seconds_a_task: float = 2.0, package: bool = True,
        watch: Callable[..., None] | None = None) -> tuple[int, int, int]:
    """Runs the jobs of a folder that have no line on a Ray cluster, and answers (planned, done, void)."""
    import ray
    from ray.exceptions import RayError, RayTaskError

    if not ray.is_initialized():
        start(address, package)
    # Ray retries nothing by itself: what a loss means is decided here.
    group = ray.remote(max_retries=0)(run_group)
    single = ray.remote(max_retries=0)(run_alone)
    queue = collections.deque(folder.remaining())
    suspects: collections.deque[Job] = collections.deque()
    losses: collections.Counter[str] = collections.Counter()
    sizes = Sizes(seconds_a_task)
    flight: dict[Any, tuple[list[Job], bool, float]] = {}
    waiting: list[str] = []
    written = time.monotonic()
    slots = processors(ray)
    folder.begin(slots)

    def write(at_once: bool = False) -> None:
        nonlocal written
        if waiting and (at_once or time.monotonic() - written >= GAP):
            folder.append(waiting)
            waiting.clear()
            written = time.monotonic()
            if watch:
                watch(*folder.progress(), more=f"; {len(flight)} tasks on {slots} processors")

    def suspect(jobs: list[Job], why: str, alone: bool) -> None:
        for job in jobs:
            losses[job[0]] += alone
            if losses[job[0]] >= MOST_LOSSES:
                waiting.append(lab.Folder.void_line(job[0], f"its worker was lost {MOST_LOSSES} times, last: {why}"))
            else:
                suspects.append(job)

    while queue or suspects or flight:
        while len(flight) < AHEAD * slots and (queue or suspects):
            if suspects:
                job = suspects.popleft()
                flight[single.remote(job[1], allow_programs, timeout)] = ([job], True, time.monotonic())
                continue
            jobs = [queue.popleft() for _ in range(min(len(queue), sizes.next(len(queue), slots)))]
            flight[group.remote([text for _, text in jobs], allow_programs)] = (jobs, False, time.monotonic())
        ready, _ = ray.wait(list(flight), num_returns=1, timeout=1.0)
        # What else is ready comes with it.
        more, _ = ray.wait(list(flight), num_returns=len(flight), timeout=0) if ready else ([], None)
        for task in {*ready, *more}:
            jobs, alone, begun = flight.pop(task)
            try:
                answer = ray.get(task)
            except RayTaskError as error:
                # Python code of ours raised: the job's own process will say whether the job is at fault.
                suspect(jobs, str(error).strip().splitlines()[-1], alone)
            except RayError as error:
                suspect(jobs, type(error).__name__, alone)
            else:
                if not alone:
                    sizes.saw(time.monotonic() - begun if len(flight) < slots else total_seconds(answer), len(jobs))
                    waiting.extend(answer)
                elif answer[0] is not None:
                    waiting.append(answer[0])
                elif folder.died(jobs[0][0], answer[1]) >= lab.most_deaths():
                    why = f"the job's own process died {lab.most_deaths()} times, last: {answer[1]}"
                    waiting.append(lab.Folder.void_line(jobs[0][0], why))
                else:
                    suspects.append(jobs[0])
        slots = processors(ray)
        write()
    write(at_once=True)
    return folder.progress()


def total_seconds(lines: list[str]) -> float:
    """The processor time of jobs, as their lines state it."""
    import json

    return sum(json.loads(line)["seconds"] for line in lines)


def processors(ray: Any) -> int:
    """The processors of the cluster, at least one."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
