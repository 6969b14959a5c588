"""What is asked is what is answered: given targets and nothing else, or targets without polarity."""

from __future__ import annotations

from withstood.claims.case import Target
from withstood.claims.opinion import Reading, Span, Triplet
from withstood.protocols.tasks import held

FIRST, SECOND = Target("lamp", "room#light", 4, 8), Target("lamp", "", 20, 24)
ROOM = Target("", "room#general")
GIVEN = (FIRST, SECOND, ROOM)


def told(*triplets: Triplet) -> list[Triplet]:
    return list(held(Reading(triplets), "polarity", GIVEN).triplets)


def test_all_is_as_it_is() -> None:
    reading = Reading((Triplet("other", "x#y", "positive"),))
    assert held(reading, "all", ()) is reading


def test_targets_alone_have_no_polarity() -> None:
    found = held(Reading((Triplet("lamp", None, "positive"),)), "targets", ())
    assert [(one.aspect_term, one.polarity) for one in found.triplets] == [("lamp", "")]


def test_a_triplet_is_put_where_its_target_was_given() -> None:
    (found,) = told(Triplet(" lamp ", "room#light", "negative", span=Span(4, 8)))
    assert (found.aspect_term, found.aspect_ref, found.span, found.polarity) == (
        "lamp",
        "room#light",
        Span(4, 8),
        "negative",
    )


def test_of_two_alike_the_place_tells_which_and_without_one_their_order() -> None:
    assert [one.span for one in told(Triplet("lamp", span=Span(20, 24)))] == [Span(20, 24)]
    assert [one.span for one in told(Triplet("lamp"), Triplet("lamp"))] == [Span(4, 8), Span(20, 24)]


def test_what_was_not_asked_is_left_out() -> None:
    others = (
        Triplet("chair"),
        Triplet("lamp", "food#taste", span=Span(4, 8)),
        Triplet("lamp", span=Span(5, 9)),
        Triplet("", "room#size"),
    )
    assert told(*others) == []


def test_a_category_is_told_of_by_its_ref() -> None:
    (found,) = told(Triplet("", "room#general", "positive"))
    assert (found.aspect_ref, found.span, found.polarity) == ("room#general", None, "positive")
