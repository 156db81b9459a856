"""What the sidecar tells of the source: where tagged blocks end, what the files contained, what the run was made of."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import zlib
from typing import Any, Callable

import pytest
from conftest import Run

Record = Callable[..., Run]

TAGS = """\
import contextlib, torch
from torch.profiler import record_function

@contextlib.contextmanager
def tag(name):
    with record_function(name):
        yield

@contextlib.contextmanager
def other():
    yield

@record_function("decorated")
@torch.no_grad()
def decorated():
    a = 1

    return torch.ones(1)

with record_function("outer"):
    with (
        other(),
        record_function("several"),
    ):
        decorated()
        with record_function("last"): pass
    # part of no statement
with tag("indirect"):
    pass
opened = record_function("by hand")
opened.__enter__()
opened.__exit__(None, None, None)
with contextlib.ExitStack() as stack:
    stack.enter_context(record_function("entered"))
"""


def ends(run: Run) -> dict[str, int | None]:
    return {site["name"]: site.get("endLine") for site in run.sidecar()["sites"]}


def test_a_site_has_the_last_line_of_its_block_where_it_opens_one(record: Record) -> None:
    assert ends(record(TAGS)) == {
        "outer": 26,
        "several": 26,
        "decorated": 18,
        "last": 26,
        "indirect": 7,
        "by hand": None,
        "entered": None,
    }


def files(run: Run) -> list[dict[str, Any]]:
    return run.sidecar()["files"]


def test_the_files_of_sites_are_told_by_their_content(record: Record) -> None:
    (file,) = files(record(TAGS))
    assert file["file"] == "train.py"
    assert file["lineCrc32"] == [zlib.crc32(line.encode()) for line in TAGS.split("\n")]
    assert len(file["lineCrc32"]) == TAGS.count("\n") + 1


def test_a_cell_of_a_notebook_is_told_by_what_its_kernel_noted(record: Record) -> None:
    cell = "import torch\nwith torch.profiler.record_function('a'):\n    torch.ones(1)\n"
    path = "/tmp/ipykernel_1/2.py"
    run = record(
        "import linecache\n"
        f"cell = {cell!r}\n"
        # As IPython does it: no file, no time, each line with its end.
        f"linecache.cache[{path!r}] = (len(cell), None, cell.splitlines(True), {path!r})\n"
        f"exec(compile(cell, {path!r}, 'exec'))\n",
        options=("--automatic", "off"),
    )
    (file,) = files(run)
    assert file["file"] == path
    assert file["lineCrc32"] == [zlib.crc32(line.encode()) for line in cell.split("\n")]
    assert [(site["line"], site["endLine"]) for site in run.sidecar()["sites"]] == [(2, 3)]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_file_has_the_name_that_git_gives_its_content(record: Record, tmp_path: pathlib.Path) -> None:
    (file,) = files(record(TAGS))
    hashed = subprocess.run(
        ["git", "hash-object", "--no-filters", str(tmp_path / "project" / "train.py")], capture_output=True, check=True
    )
    assert file["gitBlob"] == hashed.stdout.decode().strip()


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_are_the_same_whatever_ends_them(record: Record, tmp_path: pathlib.Path, end: str) -> None:
    # The outer script writes the bytes, and runs them as they are.
    text = "# \u00e9\f\nimport torch\nfrom torch.profiler import record_function as r\nwith r('a'): pass\n"
    script = tmp_path / "other.py"
    script.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
    run = record(f"import runpy\nrunpy.run_path({str(script)!r})\n")
    (file,) = files(run)
    assert file["file"] == str(script)
    assert file["lineCrc32"] == [zlib.crc32(line.encode()) for line in text.split("\n")]


def test_another_encoding_gives_the_lines_of_the_text(record: Record, tmp_path: pathlib.Path) -> None:
    text = "# coding: latin-1\n# \u00e9\nimport torch\nwith torch.profiler.record_function('a'): pass"
    script = tmp_path / "other.py"
    script.write_bytes(text.encode("latin-1"))
    (file,) = files(record(f"import runpy\nrunpy.run_path({str(script)!r})\n"))
    assert file["lineCrc32"] == [zlib.crc32(line.encode()) for line in text.split("\n")]


def test_a_file_that_changes_after_its_first_range_is_told_as_it_ran(record: Record) -> None:
    changes = TAGS + "open(__file__, 'a').write('# changed')\n"
    (file,) = files(record(changes))
    assert file["lineCrc32"] == [zlib.crc32(line.encode()) for line in changes.split("\n")]


def test_a_file_that_changed_before_its_first_range_is_not_told(record: Record) -> None:
    text = "import torch, time\ntime.sleep(0.1)\nopen(__file__, 'a').write('# changed')\n" + TAGS
    run = record(text)
    assert files(run) == []
    assert set(ends(run).values()) == {None}


def test_code_that_lies_in_no_file_has_no_content(record: Record) -> None:
    code = "from torch.profiler import record_function as r\nwith r('a'): pass"
    run = record(f"import torch\nexec(compile({code!r}, 'x', 'exec'))")
    assert [(site["name"], site["file"].endswith("x")) for site in run.sidecar()["sites"]] == [("a", True)]
    assert files(run) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_commit_of_the_workspace_is_told(record: Record, tmp_path: pathlib.Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git = ["git", "-C", str(project), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "m"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    assert record(TAGS).sidecar()["gitCommit"] == head


def test_the_run_tells_what_it_was_made_of(record: Record) -> None:
    run = record(TAGS + "print(torch.__version__)", env={"GIT_CEILING_DIRECTORIES": "/", "PATH": "/nonexistent"})
    sidecar = run.sidecar()
    assert (sidecar["torch"], sidecar["gitCommit"]) == (run.stdout.splitlines()[-1], None)
    assert json.dumps(sidecar["recordedAt"])[-8:-1].endswith("+00:00")
