"""Which of several optimizers ends a step."""

from __future__ import annotations

import sys

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))
from gpulens_runner.optimizer_cycle import OptimizerCycle  # noqa: E402


def ends(order: str) -> str:
    """The order in which optimizers step, in capitals where a step ends."""
    cycle = OptimizerCycle()
    return "".join(one.upper() if cycle.steps(ord(one)) else one for one in order)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("aaa", "AAA"),
        # A critic and an actor, the other way round, and five critics' steps before one of the generator's.
        ("dgdgdg", "DGdGdG"),
        ("gdgdgd", "GDgDgD"),
        ("dddddgdddddgdddddg", "DDDDDGdddddGdddddG"),
        # An actor that learns every second time, with a temperature behind it.
        ("ccatccatccat", "CCATccaTccaT"),
    ],
)
def test_the_rarest_optimizer_ends_a_step_the_last_one_of_those(order: str, expected: str) -> None:
    assert ends(order) == expected


def test_an_optimizer_of_an_earlier_phase_is_waited_for_no_more() -> None:
    after = ends("aaa" + "b" * 40)[3:]
    assert after[:3] == "BBB"
    assert after.index("bB") < 12
    assert after[12:] == "B" * 28


def test_an_optimizer_that_steps_rarely_is_waited_for_once_its_pause_is_known() -> None:
    assert ends(("d" * 30 + "g") * 4).split("G", 2)[2] == ("d" * 30 + "G") * 2


def test_an_optimizer_for_each_parameter_is_one_step() -> None:
    parameters = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
    cycle = OptimizerCycle()
    steps = [[cycle.steps(ord(one)) for one in parameters] for _ in range(4)]
    assert [sum(step) for step in steps[1:]] == [1, 1, 1]
    assert [step[-1] for step in steps] == [True] * 4
