"""The tree drawn in errors.py is the tree of its classes, and every exit code is documented."""

from __future__ import annotations

import inspect
import re

from withstood import errors

CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.WithstoodError) and kind.__module__ == errors.__name__
}
BRANCH = re.compile(r"^(?P<indent>(?:[│ ] {3})*)[├└]── (?P<name>\w+)")


def drawn() -> dict[str, str]:
    """Child to parent, as the docstring draws it."""
    parents, path = dict[str, str](), ["WithstoodError"]
    for line in (errors.__doc__ or "").splitlines():
        branch = BRANCH.match(line)
        if branch:
            path = [*path[: len(branch["indent"]) // 4 + 1], branch["name"]]
            parents[path[-1]] = path[-2]
    return parents


def test_the_drawing_is_the_tree() -> None:
    built = {name: kind.__bases__[0].__name__ for name, kind in CLASSES.items() if name != "WithstoodError"}
    assert drawn() == built


def test_the_drawing_keeps_the_order_of_the_classes() -> None:
    written = [name for name in re.findall(r"^class (\w+)", inspect.getsource(errors), re.M) if name in drawn()]
    assert list(drawn()) == written


def test_every_exit_code_is_documented_once() -> None:
    codes = [code for code, _ in errors.EXIT_CODES]
    assert codes == sorted(set(codes))
    assert {kind.exit_code for kind in CLASSES.values()} <= set(codes)


def test_an_extra_is_named_with_the_command_that_installs_it() -> None:
    assert "pip install 'withstood[models]'" in str(errors.MissingExtra("openai:gpt", "models"))
