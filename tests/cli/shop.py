"""A small code base with a log, in which something is wrong."""

from __future__ import annotations

from pathlib import Path

CODE = '''"""Refunds."""

RATES = {"EUR": 1}


def rate(currency):
    return RATES[currency]


def refund(order):
    total = order["amount"] * rate(order["currency"])
    return round(total, 2)
'''

LOG = """2026-03-15 23:10:04 INFO refund started order=17
2026-03-15 23:10:05 ERROR refund failed order=17
Traceback (most recent call last):
  File "shop/pay.py", line 11, in refund
    total = order["amount"] * rate(order["currency"])
  File "shop/pay.py", line 7, in rate
    return RATES[currency]
KeyError: 'USD'
2026-03-15 23:11:00 INFO refund started order=18
"""

QUESTION = "why do refunds fail at night?"


def build(folder: Path) -> Path:
    (folder / "repo" / "shop").mkdir(parents=True)
    (folder / "repo" / "shop" / "pay.py").write_text(CODE)
    (folder / "logs").mkdir()
    (folder / "logs" / "app.log").write_text(LOG)
    return folder
