from __future__ import annotations

import pytest

from tests.stories.shelf import NAMES, story
from tests.stories.trial import Outcome, tried


@pytest.fixture(scope="session")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every story before the whole panel, once."""
    return {name: tried(story(name), tmp_path_factory.mktemp(name)) for name in NAMES}
