"""``python -m tesuji.lab``: experiments, here or on a Ray cluster."""

from __future__ import annotations

import argparse
import os
import sys
import time

from tesuji import lab


def plan_of(arguments: argparse.Namespace) -> lab.Plan:
    """The plan of an experiment of ours, by its id, or of a file."""
    name, text = arguments.experiment, None
    if os.path.exists(name) or "/" in name or "." in name:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    part = getattr(arguments, "part", None)
    return lab.Plan(name, text=text, quick=arguments.quick, part=part, allow_programs=arguments.allow_programs)


class Told:
    """Tells how far a run is, on standard error, a few times a minute."""

    def __init__(self, every: float = 2.0):
        self.every, self.begun, self.last, self.first = every, time.monotonic(), 0.0, None

    def __call__(self, planned: int, done: int, void: int, more: str = "") -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = done
        if now - self.last < self.every and done < planned:
            return
        self.last = now
        rate = (done - self.first) / max(1e-9, now - self.begun)
        left = f", {(planned - done) / rate:.0f} s left" if rate > 0 and done < planned else ""
        voids = f", {void} void" if void else ""
        print(f"{done} of {planned} jobs{voids}, {rate:.1f} a second{left}{more}", file=sys.stderr, flush=True)


def run(arguments: argparse.Namespace) -> int:
    plan = plan_of(arguments)
    folder = lab.Folder(arguments.out or plan.usual_folder(), plan)
    programs = bool(plan.programs)
    if arguments.address is not None:
        from tesuji.lab import cluster

        planned, done, void = cluster.run(folder, address=arguments.address, allow_programs=programs,
                                          timeout=arguments.timeout, seconds_a_task=arguments.seconds_a_task,
                                          package=not arguments.installed, watch=Told())
    else:
        alone = [sys.executable, "-m", "tesuji.lab", "job"] + (["--allow-programs"] if programs else [])
        threads = arguments.jobs or os.cpu_count() or 1
        planned, done, void = folder.run(threads=threads, alone=alone, timeout=arguments.timeout,
                                         allow_programs=programs, watch=Told())
    voids = f", {void} of them void" if void else ""
    print(f"{folder.path}: {done} of {planned} jobs done{voids}")
    return 0 if done == planned else 3


def job(arguments: argparse.Namespace) -> int:
    """One job from standard input, one line on standard output. It ends with its input."""
    import threading

    text = sys.stdin.readline()

    def wait() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    sys.stdout.write(lab.run_job(text, allow_programs=arguments.allow_programs) + "\n")
    sys.stdout.flush()
    # The reader is still waiting; nothing is left to do.
    os._exit(0)


def show(arguments: argparse.Namespace) -> int:
    for entry in lab.experiments():
        quick, full = entry["core_hours"]
        print(f"{entry['id']:22} {entry['kind']:12} {quick:8g} {full:8g}  {entry['title']}")
    return 0


def report(arguments: argparse.Namespace) -> int:
    print(lab.report(arguments.folder, arguments.form))
    return 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tesuji.lab", description=__doc__)
    commands = parser.add_subparsers(required=True)

    one = commands.add_parser("list", help="the experiments that are built in: id, kind, core-hours quick and full, title")
    one.set_defaults(do=show)

    one = commands.add_parser("run", help="run the jobs of an experiment that are not done")
    one.add_argument("experiment", metavar="EXPERIMENT", help="an id of `list`, or a file")
    one.add_argument("--quick", action="store_true", help="the small size: minutes on two cores")
    one.add_argument("--part", metavar="I/N", help="one part of the jobs, such as 3/64")
    one.add_argument("--out", metavar="DIR", help="the folder of the results [default: lab-results/ID-SIZE]")
    one.add_argument("--address", metavar="RAY", help="run on this Ray cluster: auto, or host:port; `local` starts one here")
    one.add_argument("--jobs", type=int, metavar="N", help="without --address: jobs at a time [default: one a processor]")
    one.add_argument("--timeout", type=float, default=3600.0, metavar="S",
                     help="seconds after which the process of a job that runs alone is ended [default: 3600]")
    one.add_argument("--seconds-a-task", type=float, default=2.0, metavar="S",
                     help="with --address: jobs are grouped into tasks of about this length [default: 2]")
    one.add_argument("--installed", action="store_true",
                     help="with --address: the nodes have this version of tesuji; do not send it")
    one.add_argument("--allow-programs", action="store_true", help="let the agents of an experiment file start programs")
    one.set_defaults(do=run)

    one = commands.add_parser("job", help="run one job from standard input and print its line")
    one.add_argument("--allow-programs", action="store_true", help="let its agents start programs")
    one.set_defaults(do=job)

    one = commands.add_parser("report", help="what the results of a folder say")
    one.add_argument("folder", metavar="DIR")
    one.add_argument("--form", choices=["markdown", "html", "csv", "json"], default="markdown")
    one.set_defaults(do=report)

    arguments = parser.parse_args(words)
    try:
        return arguments.do(arguments)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
