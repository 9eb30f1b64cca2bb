"""The examples in docstrings run, those of the native part too."""

import doctest
import importlib
import inspect

import pytest

import tesuji
from tesuji import _native

MODULES = ["tesuji", "tesuji.lab", "tesuji.pettingzoo", "tesuji.gymnasium", "tesuji.openspiel"]
NEEDS = {"tesuji.pettingzoo": "pettingzoo", "tesuji.gymnasium": "gymnasium", "tesuji.openspiel": "pyspiel"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def native_things():
    for name, thing in vars(_native).items():
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                yield f"{name}.{member}", value


NATIVE = [(name, thing.__doc__) for name, thing in native_things() if ">>>" in (getattr(thing, "__doc__", None) or "")]


@pytest.mark.parametrize("name, text", NATIVE, ids=[name for name, _ in NATIVE])
def test_native_examples(name, text):
    example = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    said = []
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_there_are_examples():
    assert len(NATIVE) > 15 and any(name == "State" for name, _ in NATIVE)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module, optionflags=FLAGS)
    assert failed == 0 and tried > 0


def test_everything_public_is_explained():
    for name in tesuji.__all__:
        assert (getattr(tesuji, name).__doc__ or "").strip(), name
