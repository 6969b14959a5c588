"""What a file defines, by language."""

from __future__ import annotations

import pytest

from withstood.sources.symbols import is_code, symbols

PYTHON = """\
class Pay:
    async def charge(self): ...

    @property
    def due(self): ...
"""
JAVA = """\
public final class Pay<T> {
  private static Map<String, T> charge(Order order) throws Late {
    if (order.due()) {
    return send(order);
"""
SCRIPT = """\
export async function charge(order) {
const refund = async (order) => send(order)
class Pay extends Base {
  settle(order) {
    if (order) {
    for (const one of order) {
"""
GO = """\
type Pay struct {
func (p *Pay) Charge(order Order) error {
func refund() {
"""
C = """\
static int charge(struct order *one) {
  return pay(one);
"""


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a/pay.py", PYTHON, ["1 class Pay", "2 def charge", "5 def due"]),
        ("a/pay.py", "def charge(\n  class x:", ["1 def charge", "2 class x"]),
        ("Pay.java", JAVA, ["1 class Pay", "2 function charge"]),
        ("pay.ts", SCRIPT, ["1 function charge", "2 function refund", "3 class Pay", "4 function settle"]),
        ("pay.go", GO, ["1 type Pay", "2 func Charge", "3 func refund"]),
        ("pay.c", C, ["1 function charge"]),
        ("run.sh", "deploy() {\n  echo\n}", ["1 function deploy"]),
        ("notes.md", "def charge():", []),
    ],
)
def test_definitions(path: str, text: str, found: list[str]) -> None:
    assert [f"{one.line} {one.kind} {one.name}" for one in symbols(path, text.splitlines())] == found


@pytest.mark.parametrize("line", ["*" * 400, " " * 400, "a " * 200, " a<" * 130, "public " * 50, " async" * 60 + "("])
@pytest.mark.parametrize("ending", ["c", "java", "ts", "go", "sh"])
def test_lines_made_to_be_slow_are_not(ending: str, line: str) -> None:
    assert all(one.line >= 1 for one in symbols(f"a.{ending}", [line] * 200))


def test_code_that_is_too_deep_is_read_by_its_lines() -> None:
    assert [one.name for one in symbols("a.py", ["def f():", "    return " + "(" * 5000 + ")" * 5000])] == ["f"]


def test_what_is_code() -> None:
    assert is_code("a/b.PY") and is_code("x.tsx") and not is_code("a.md") and not is_code("Makefile")
