"""What a job costs on a Ray cluster beyond its own work: `python python/bench/cluster.py [--address local] [--jobs 2000]`.

Jobs of about a millisecond, grouped as `tesuji.lab.cluster` groups them, against the same jobs in one process. Both use the same
number of processors. Prints jobs a second, the driver's processor time for each job, bytes of a line and of a job.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time

from tesuji import lab
from tesuji.lab import cluster

TEXT = """
id = "overhead"
title = "Jobs of a millisecond"
claim = "None."
source = "python/bench/cluster.py"
kind = "match"
seed = 1
[setup]
game = "tictactoe"
games = {games}
random-plies = 2
limits = {{ iterations = 200 }}
[[setup.agents]]
name = "flat"
agent = "rps"
[[setup.agents]]
name = "tree"
agent = "mcts"
[sizes.quick]
core-hours = 0.001
[sizes.full]
core-hours = 0.001
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", default="local")
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--seconds-a-task", type=float, nargs="+", default=[0.0, 0.1, 0.5, 2.0])
    arguments = parser.parse_args()
    plan = lab.Plan("overhead.toml", text=TEXT.format(games=arguments.jobs))
    print(f"{os.cpu_count()} processors, load before: {', '.join(f'{number:.1f}' for number in os.getloadavg())}")
    work = tempfile.mkdtemp()
    try:
        folder = lab.Folder(os.path.join(work, "one"), plan)
        begun = time.perf_counter()
        folder.run(threads=os.cpu_count() or 1, alone=[sys.executable, "-m", "tesuji.lab", "job"])
        single = time.perf_counter() - begun
        folder.close()
        size = os.path.getsize(os.path.join(work, "one", "results.jsonl"))
        texts = sum(len(text) for _, text in plan.jobs())
        jobs = len(plan.jobs())
        print(f"one process: {jobs / single:,.0f} jobs a second; a line has {size / jobs:.0f} bytes, a job {texts / jobs:.0f}")
        begun = time.perf_counter()
        cluster.start(arguments.address, package=False)
        print(f"connected after {time.perf_counter() - begun:.1f} s")
        for number, seconds in enumerate(arguments.seconds_a_task):
            folder = lab.Folder(os.path.join(work, str(number)), plan)
            begun, processor = time.perf_counter(), time.process_time()
            cluster.run(folder, seconds_a_task=seconds)
            clock, processor = time.perf_counter() - begun, time.process_time() - processor
            folder.close()
            over = 1e3 * (clock - single) / jobs
            print(f"tasks of {seconds:3g} s: {jobs / clock:8,.0f} jobs a second, {over:+.2f} ms a job beside one process, "
                  f"driver {1e3 * processor / jobs:.3f} ms of processor a job")
    finally:
        shutil.rmtree(work)
    print(f"load after: {', '.join(f'{number:.1f}' for number in os.getloadavg())}")


if __name__ == "__main__":
    main()
