"""The lab: experiments as plans of pure jobs, run here or on a Ray cluster.

``python -m tesuji.lab run EXPERIMENT`` runs what is planned and not done, in this process;
``--address auto`` runs the same jobs on a Ray cluster, into the same files (docs/scale.md).

>>> from tesuji import lab
>>> plan = lab.Plan("lin-trap", quick=True)
>>> plan.id, plan.size, len(plan.jobs()) > 0
('lin-trap', 'quick', True)
"""

from tesuji._native import LabFolder as Folder
from tesuji._native import LabPlan as Plan
from tesuji._native import experiments, most_deaths, read_lines, report, run_job, timeless

__all__ = ["Folder", "Plan", "experiments", "most_deaths", "read_lines", "report", "run_job", "timeless"]
