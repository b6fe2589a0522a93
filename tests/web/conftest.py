"""Provide a board without hands, and the browser of somebody who may play there."""

import pytest

from gnomon.web.access import Role
from tests.web.api_house import PaperBoard
from tests.web.visitors import Browser, Reception


@pytest.fixture
def board() -> PaperBoard:
    return PaperBoard()


@pytest.fixture
def visitor(board: PaperBoard) -> Browser:
    return Reception(open_to=Role.PLAYER, board=board).browser()
