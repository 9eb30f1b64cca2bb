"""The notebooks of `examples/notebooks` run from top to bottom, in a small form. A step of its own in .ci/run:
`pytest python/tests/notebooks.py`."""

import os
import pathlib

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_four():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("TESUJI_SMALL", "1")
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not any(output.output_type == "error" for output in shown) and len(shown) >= 4
    if "hex" in path.stem or "proof-explored" in path.stem or "distortion" in path.stem:
        pictures = [output for output in shown if "image/svg+xml" in output.get("data", {})]
        assert pictures or "hex" in path.stem
    assert os.environ["TESUJI_SMALL"] == "1"
