"""What a plain `pytest` leaves to steps of their own (.ci/run): `python python/tests/test_training.py` trains for minutes,
`pytest python/tests/cluster.py` starts a Ray cluster, `pytest python/tests/notebooks.py` runs notebooks."""

collect_ignore = ["test_training.py"]
