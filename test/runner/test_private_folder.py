"""A folder of one's own where everybody may write: what somebody else has put there first is not taken."""

from __future__ import annotations

import os
import pathlib
import stat
import sys
from typing import Callable

import pytest
from conftest import RUNNER, Run

sys.path.insert(0, str(RUNNER))

from gpulens_runner.private_folder import make_private_folder  # noqa: E402 -- the runner is no installed package.

Record = Callable[..., Run]


def test_it_is_open_to_its_owner_alone_and_may_be_there_already(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "own"
    for _ in range(2):
        make_private_folder(str(folder))
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o701, 0o777])
def test_one_that_is_open_to_others_is_refused(tmp_path: pathlib.Path, mode: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(OSError, match="open to others"):
        make_private_folder(str(folder))


def test_one_of_somebody_else_is_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "other"
    folder.mkdir(mode=0o700)
    somebody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    with pytest.raises(OSError, match="somebody else's"):
        make_private_folder(str(folder))


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_a_link_is_refused(tmp_path: pathlib.Path, target: str) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(OSError, match="a link"):
        make_private_folder(str(tmp_path / "link"))
    assert not (tmp_path / "nowhere").exists()


def test_a_trace_is_not_written_through_a_link_that_waits_for_it(record: Record, tmp_path: pathlib.Path) -> None:
    temporary, elsewhere = tmp_path / "temporary", tmp_path / "elsewhere"
    temporary.mkdir()
    elsewhere.mkdir()
    source = f"""
import json, os, torch
config = json.loads(os.environ["GPULENS_CONFIG"])
os.symlink({str(elsewhere)!r}, os.path.join({str(temporary)!r}, "gpu-lens-" + config["run"]))
out = config["out"]
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    if step == 4: os.rename(out, out + ".away"); open(out, "w").close()
    optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
    # What is told of it is told in the same folder.
    if step == 8: os.remove(out); os.rename(out + ".away", out)
print("finished")
"""
    run = record(source, env={"TMPDIR": str(temporary)})
    assert (run.status, run.stdout) == (0, "finished\n"), run.stderr
    assert list(elsewhere.iterdir()) == []
    assert run.traces == []
