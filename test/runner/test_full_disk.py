"""A disk that is full: what was recorded goes elsewhere, and the run still tells so."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import RUNNER, Run, runner_command
from small_model import MODEL

sys.path.insert(0, str(RUNNER))

from gpulens_runner import events  # noqa: E402 -- the runner is no installed package.

IN_A_SMALL_DISK = """
disk="$1" kept="$2"; shift 2
mount -t tmpfs -o size=400k none "$disk" || exit 99
head -c 65536 /dev/zero > "$disk/events.jsonl.reserve"
"$@"
status=$?
rm "$disk/fill"; cp -R "$disk/." "$kept"
exit $status
"""


def in_a_small_disk(tmp_path: pathlib.Path, *command: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs a command where a disk of 400 KB is at `disk`, and leaves at `kept` what is on it then; skips elsewhere."""
    start = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if sys.platform != "linux" or subprocess.run([*start, "mount -t tmpfs none /mnt"], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    for name in ("disk", "kept", "other"):
        (tmp_path / name).mkdir()
    arguments = ["sh", str(tmp_path / "disk"), str(tmp_path / "kept"), *command]
    return subprocess.run(
        [*start, IN_A_SMALL_DISK, *arguments], env={**os.environ, **env}, capture_output=True, text=True
    )


def test_a_run_on_a_full_disk_tells_where_its_trace_is(tmp_path: pathlib.Path) -> None:
    disk, script = tmp_path / "disk", tmp_path / "train.py"
    script.write_text(
        MODEL
        + f"""
with open({str(disk / "fill")!r}, "wb", buffering=0) as file:
    try:
        while True: file.write(bytes(512))
    except OSError: pass
with torch.no_grad():
    for _ in range(60): net(data())
print("finished")
"""
    )
    command = runner_command(disk, tmp_path, sys.executable, str(script), options=("--active", "50"))
    done = in_a_small_disk(tmp_path, *command, env={"TMPDIR": str(tmp_path / "other")})
    run = Run(done.returncode, done.stdout, done.stderr, tmp_path / "kept")
    assert (run.status, run.stdout) == (0, "finished\n"), run.stderr
    (path,) = run.traces
    assert path.parent.parent == tmp_path / "other"
    message = f"The trace is in {path.parent}, since there was no writing to {disk}: No space left on device."
    assert run.event("error")["message"] == message
    assert run.ranges()["ProfilerStep#1"] == 1
    # Longer than what was left of the disk's last block.
    assert len([event for event in run.events if event["event"] == "step"]) > 50
    assert run.events[-1]["event"] == "exit"
    assert sorted(path.name for path in run.out.iterdir()) == ["events.jsonl"]


def test_a_message_that_finds_no_room_is_written_whole_into_what_is_reserved(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, reserve = tmp_path / "events.jsonl", tmp_path / "events.jsonl.reserve"
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if reserve.exists():
            return write(descriptor, data[:10])
        return write(descriptor, data)

    monkeypatch.setattr(events.os, "write", full)
    reserve.write_bytes(bytes(100))
    events.emit(str(file), "first", text="ä")
    events.emit(str(file), "second")
    assert [json.loads(line)["event"] for line in file.read_text().splitlines()] == ["first", "second"]
    assert not reserve.exists()


def test_a_message_that_finds_no_room_at_all_does_no_harm(tmp_path: pathlib.Path) -> None:
    events.emit(str(tmp_path / "no such folder" / "events.jsonl"), "first")
    if os.path.exists("/dev/full"):
        events.emit("/dev/full", "first")
    assert list(tmp_path.iterdir()) == []
