"""An idle run: nothing is recorded until a trigger asks for it, or the schedule of the run says so."""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any, Callable

import pytest
from conftest import RUNNER, Run, read_trace
from idle_run import INFERENCE, TRAINING, Idle
from small_model import MODEL

sys.path.insert(0, str(RUNNER))

from gpulens_runner import control  # noqa: E402 -- the runner is no installed package.
from gpulens_runner.config import Config  # noqa: E402
from gpulens_runner.step_agreement import StepAgreement  # noqa: E402
from gpulens_runner.trigger import parse_trigger  # noqa: E402

Record = Callable[..., Run]


def test_an_idle_run_records_nothing_by_itself(record: Record) -> None:
    run = record(LOOP, options=("--idle",))
    assert (run.status, run.stdout, run.traces) == (0, "end\n", []), run.stderr
    assert {event["event"] for event in run.events} <= {"started", "armed", "exit"}
    assert run.event("armed")["idle"] is True


def test_each_trigger_records_the_next_steps_of_training(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, TRAINING)
    idle.wait_for("armed")
    idle.ask("one", steps=2)
    idle.wait_for("trigger", id="one", state="done")
    idle.ask("two", steps=4, stack=True)
    idle.wait_for("trigger", id="two", state="done")
    run = idle.end()
    assert (run.status, run.stdout) == (0, "end\n"), run.stderr
    traces = [event for event in run.events if event["event"] == "trace"]
    assert [(one["what"], one["steps"], one["trigger"], one["why"]) for one in traces] == [
        ("train", 2, "one", "complete"),
        ("train", 4, "two", "complete"),
    ]
    assert [pathlib.Path(one["path"]).name for one in traces] == [
        f"train.step{one['first']}.pt.trace.json.gz" for one in traces
    ]
    assert traces[0]["first"] + 2 < traces[1]["first"]
    names = [event["name"] for event in read_trace(traces[1]["path"])["traceEvents"]]
    assert names.count("Optimizer.step#SGD.step") == 4
    assert any(name.startswith("nn.Module: Net") for name in names)
    assert any(name.startswith("train.py(") for name in names)


def test_two_triggers_at_once_are_recorded_one_after_the_other(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, TRAINING)
    idle.wait_for("armed")
    idle.ask("one")
    idle.ask("two")
    idle.wait_for("trigger", id="two", state="done")
    run = idle.end()
    assert [event["trigger"] for event in run.events if event["event"] == "trace"] == ["one", "two"]


def test_inference_is_recorded_where_nothing_trains(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, INFERENCE)
    idle.wait_for("armed")
    for identifier in ("one", "two"):
        idle.ask(identifier, steps=2)
        idle.wait_for("trigger", id=identifier, state="done")
    run = idle.end()
    traces = [event for event in run.events if event["event"] == "trace"]
    assert [(one["what"], one["steps"], one["trigger"]) for one in traces] == [("infer", 2, "one"), ("infer", 2, "two")]


def test_triggers_of_inference_at_once_are_recorded_one_after_the_other(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, INFERENCE)
    idle.wait_for("armed")
    for identifier in ("one", "two", "three"):
        idle.ask(identifier, steps=2)
    idle.wait_for("trigger", id="three", state="done")
    run = idle.end()
    assert [event["trigger"] for event in run.events if event["event"] == "trace"] == ["one", "two", "three"]


def test_a_trigger_from_before_torch_is_imported_is_carried_out(tmp_path: pathlib.Path) -> None:
    (tmp_path / "control.jsonl").write_text('{"v": 1, "request": "record", "id": "early", "steps": 2}\n')
    idle = Idle(tmp_path, TRAINING)
    idle.wait_for("trigger", id="early", state="done")
    idle.ask("two")
    idle.wait_for("trigger", id="two", state="done")
    run = idle.end()
    assert [event["trigger"] for event in run.events if event["event"] == "trace"] == ["early", "two"]


PROFILES_ITSELF = """
from torch.profiler import profile
while not any('"taken"' in line for line in open(EVENTS)): step(); time.sleep(0.005)
with profile(): step()
while not os.path.exists(END): time.sleep(0.005)
"""


def test_a_trigger_is_refused_where_the_script_profiles_itself_meanwhile(tmp_path: pathlib.Path) -> None:
    training = (
        TRAINING.split("step = 0")[0]
        + "def step(): optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()\n"
    )
    idle = Idle(tmp_path, training + PROFILES_ITSELF.replace("EVENTS", repr(str(tmp_path / "events.jsonl"))))
    idle.wait_for("armed")
    idle.ask("one", steps=10_000)
    idle.ask("two")
    for identifier in ("one", "two"):
        idle.wait_for("trigger", id=identifier, state="refused")
    idle.ask("three")
    idle.wait_for("trigger", id="three", state="refused")
    assert idle.end().status == 0


def test_a_run_that_ends_during_a_recording_keeps_what_there_is(tmp_path: pathlib.Path) -> None:
    idle = Idle(tmp_path, TRAINING)
    idle.wait_for("armed")
    idle.ask("one", steps=100_000)
    idle.wait_for("step", phase="recording", done=2)
    run = idle.end()
    (trace,) = [event for event in run.events if event["event"] == "trace"]
    assert (trace["why"], trace["trigger"]) == ("exit", "one")
    assert trace["steps"] > 0
    assert [event["state"] for event in run.events if event["event"] == "trigger"] == ["taken", "done"]


# Each step sleeps 50 ms, so that the pace is steady.
RANKS = (
    TRAINING.replace("time.sleep(0.005)", "time.sleep(0.05)")
    .replace(
        "import os, time\n",
        "import os, time\nimport torch.distributed as dist\ndist.init_process_group('gloo')\n",
    )
    .replace(
        "while not os.path.exists(END):",
        "def goes_on():\n"
        "    flag = torch.tensor(float(os.path.exists(END))); dist.all_reduce(flag); return flag.item() == 0\n"
        "while goes_on():\n"
        "    if step == 1: open(END + os.environ['RANK'], 'w').close()",
    )
)


@pytest.mark.parametrize(("ranks", "recorded"), [(None, [0, 1]), pytest.param([1], [1], marks=pytest.mark.long)])
def test_all_ranks_record_the_same_steps(tmp_path: pathlib.Path, ranks: list[int] | None, recorded: list[int]) -> None:
    # On a busy machine a rank must not pass the agreed step before it hears of it.
    notice = """
from gpulens_runner import step_agreement as rules
assert rules._NOTICE_SECONDS == 1
rules._NOTICE_SECONDS = 6
"""
    launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2")
    idle = Idle(tmp_path, RANKS, *launcher, early=notice)
    # Ranks may not know their pace yet: they report a little later then.
    idle.wait_until(lambda: all((tmp_path / f"end{rank}").exists() for rank in range(2)), "steps")
    for identifier in ("one", "two"):
        idle.ask(identifier, steps=2, ranks=ranks)
        idle.wait_for("trigger", times=len(recorded), id=identifier, state="done")
    run = idle.end()
    traces = [event for event in run.events if event["event"] == "trace"]
    assert sorted((one["trigger"], one["rank"], one["steps"]) for one in traces) == [
        (identifier, rank, 2) for identifier in ("one", "two") for rank in recorded
    ]
    for identifier in ("one", "two"):
        assert len({one["first"] for one in traces if one["trigger"] == identifier}) == 1


LOOP = (
    MODEL
    + """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def evaluate():
    with torch.no_grad():
        for k in range(30): net(data())
evaluate()
for step in range(60):
    optimizer.zero_grad(); net(data()).sum().backward(); optimizer.step()
    if step == 25: evaluate()
print("end")
"""
)


def test_steps_are_skipped_and_recorded_again_as_the_schedule_says(record: Record) -> None:
    run = record(LOOP, options=("--skip", "20", "--every", "15", "--recordings", "2", "--warmup", "1"))
    assert (run.status, run.stdout) == (0, "end\n"), run.stderr
    told = [(event["what"], event["first"], event["steps"]) for event in run.events if event["event"] == "trace"]
    # 20 skipped steps, one of warm-up, one of the profiler's.
    assert told == [("infer", 23, 3), ("train", 23, 3), ("train", 38, 3)]


def test_a_script_that_is_to_stop_does_so_behind_the_last_recording(record: Record) -> None:
    source = LOOP.replace("evaluate()\nfor", "for").replace("range(60)", "range(10**9)")
    run = record(source, options=("--skip", "5", "--every", "15", "--recordings", "2", "--after", "stop"))
    assert (run.status, run.stdout) == (0, ""), run.stderr
    assert [event["first"] for event in run.events if event["event"] == "trace"] == [9, 24]


def test_a_script_that_ends_before_its_schedule_tells_how_far_it_came(record: Record) -> None:
    run = record(LOOP, options=("--skip", "500"))
    assert run.traces == []
    assert run.event("skipped")["steps"] == 60


def test_only_ranks_that_are_named_are_recorded(record: Record) -> None:
    assert record(LOOP, options=("--record-ranks", "1,3"), env={"RANK": "3", "WORLD_SIZE": "4"}).traces != []


def test_other_ranks_leave_nothing(record: Record) -> None:
    run = record(LOOP, options=("--record-ranks", "1,3"), env={"RANK": "0", "WORLD_SIZE": "4"})
    assert (run.status, run.stdout, run.traces) == (0, "end\n", []), run.stderr


@pytest.mark.parametrize(
    "request_",
    [
        *({}, {"id": 3}, {"id": "a", "steps": 0}, {"id": "a", "steps": True}, {"id": "a", "step": "often"}),
        *({"id": "a", "ranks": "0"}, {"id": "a", "ranks": [-1]}, {"id": "a", "ranks": [True]}),
    ],
)
def test_a_request_that_makes_no_sense_is_passed_over(request_: dict[str, Any]) -> None:
    assert parse_trigger(request_) is None


def test_a_recording_that_was_asked_for_warms_up_for_one_step_on_the_ranks_that_are_named() -> None:
    config = Config(out="o", events="e", root="r", warmup=5, active=3, step="train")
    trigger = parse_trigger({"id": "a", "ranks": [0]})
    assert trigger is not None
    asked = trigger.applied(config)
    assert (asked.trigger, asked.warmup, asked.active, asked.step, asked.ranks) == ("a", 1, 3, "train", (0,))
    more = parse_trigger({"id": "b", "steps": 7, "step": "infer", "stack": not config.stack})
    assert more is not None
    asked = more.applied(config)
    assert (asked.active, asked.step, asked.stack, asked.ranks) == (7, "infer", not config.stack, config.ranks)


class Reports:
    """What a rank of two reports to triggers, polled every 0.2 s of a clock that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.trained = 0
        self.is_active = True
        self.config = Config(out="o", events="e", root="r")
        self.told: list[dict[str, Any]] = []
        monkeypatch.setenv("RANK", "0")
        monkeypatch.setenv("WORLD_SIZE", "2")
        monkeypatch.setattr(control.time, "monotonic", lambda: self.now)
        # It is the context and the session, too.
        self._triggers = control._Triggers(self, self)  # type: ignore[arg-type]

    def tell(self, event: str, **fields: Any) -> None:
        self.told.append(fields)

    def ask(self, **what: Any) -> None:
        self._triggers.take({"v": 1, "request": "record", "id": "a", **what})

    def poll(self, trained: int) -> None:
        self.now += 0.2
        self.trained = trained
        self._triggers.mark()


def test_a_rank_reports_once_it_knows_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    rank = Reports(monkeypatch)
    for trained in (0, 0, 1):
        rank.poll(trained)
    rank.ask()
    rank.poll(3)
    assert rank.told == []
    rank.poll(13)
    rank.poll(23)
    # The time before the first step tells nothing of steps.
    assert rank.told == [{"id": "a", "state": "ready", "step": 13, "stepSeconds": pytest.approx(0.02)}]
    rank.told.clear()
    rank.ask(id="b")
    assert [(one["id"], one["step"]) for one in rank.told] == [("b", 23)]


def test_the_pace_of_steps_that_take_many_polls_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    rank = Reports(monkeypatch)
    # The first poll comes in the middle of a step.
    for trained in (7, 8, *[8] * 4, 9, *[9] * 4, 10):
        rank.poll(trained)
    rank.ask()
    assert rank.told == [{"id": "a", "state": "ready", "step": 10, "stepSeconds": pytest.approx(1.0)}]


@pytest.mark.parametrize(("what", "polls"), [({}, 5), ({"step": "infer"}, 0)])
def test_a_rank_without_a_pace_reports_all_the_same(
    monkeypatch: pytest.MonkeyPatch, what: dict[str, Any], polls: int
) -> None:
    rank = Reports(monkeypatch)
    rank.ask(**what)
    polled = 0
    while not rank.told:
        rank.poll(0)
        polled += 1
    assert (polled, rank.told) == (polls, [{"id": "a", "state": "ready", "step": 0, "stepSeconds": None}])


def test_ranks_agree_on_a_step_that_none_has_reached(tmp_path: pathlib.Path) -> None:
    control = tmp_path / "control.jsonl"
    agreement = StepAgreement(str(control), "here")
    ready = {"event": "trigger", "state": "ready", "id": "a", "world": 2, "host": "here"}
    agreement.take({**ready, "rank": 0, "step": 100, "stepSeconds": 0.1}, 10.0)
    agreement.decide(10.1)
    assert not control.exists()
    agreement.take({**ready, "rank": 1, "step": 98, "stepSeconds": 0.2}, 10.5)
    agreement.decide(10.5)
    # Rank 0 has gone on for half a second, and takes ten more steps until both have read of it.
    assert json.loads(control.read_text()) == {"v": 1, "request": "begin", "id": "a", "at": 117}
    agreement.take({**ready, "rank": 1, "step": 98, "stepSeconds": 0.2}, 10.6)
    agreement.decide(20.0)
    assert len(control.read_text().splitlines()) == 1


def test_a_rank_that_says_nothing_is_not_waited_for_without_end(tmp_path: pathlib.Path) -> None:
    control = tmp_path / "control.jsonl"
    agreement = StepAgreement(str(control), "here")
    event = {"event": "trigger", "state": "ready", "id": "a", "world": 2, "host": "", "rank": 1, "step": 7}
    agreement.take(event, 10.0)
    agreement.decide(12.1)
    assert json.loads(control.read_text())["at"] == 9
