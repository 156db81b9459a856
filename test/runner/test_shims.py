"""Scripts that set PYTHONPATH anew are recorded all the same."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import subprocess
import sys

import pytest
from conftest import runner_command

BIN = os.path.dirname(sys.executable)
ASK = "import os, sys; print(sys.executable, os.environ['PYTHONPATH'], 'sitecustomize' in sys.modules)"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such scripts")


def run_line(folder: pathlib.Path, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        runner_command(folder, folder, "sh", "-c", line),
        env={**os.environ, "PATH": BIN + os.pathsep + os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


def events(folder: pathlib.Path) -> list[str]:
    return [json.loads(line)["event"] for line in (folder / "events.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    "line", ["export PYTHONPATH=src; python", "unset PYTHONPATH; python3", "env PYTHONPATH= python3"]
)
def test_a_python_is_recorded_whose_pythonpath_was_set_anew(tmp_path: pathlib.Path, line: str) -> None:
    done = run_line(tmp_path, f"{line} -c 'import torch'")
    assert (done.returncode, "armed" in events(tmp_path)) == (0, True), done.stderr


def test_what_the_script_set_stays_behind_the_recorder(tmp_path: pathlib.Path) -> None:
    done = run_line(tmp_path, f'export PYTHONPATH=src; python -c "{ASK}"')
    program, path, _ = done.stdout.split()
    assert os.path.dirname(program) == BIN
    boot, *rest = path.split(os.pathsep)
    assert (os.path.basename(boot), rest) == ("boot", ["src"])


def test_the_stand_ins_are_private_and_gone_behind_the_run(tmp_path: pathlib.Path) -> None:
    done = run_line(tmp_path, "command -v python", TMPDIR=str(tmp_path))
    program = pathlib.Path(done.stdout.strip())
    assert program.parent.parent == tmp_path
    assert not program.parent.exists()
    done = run_line(tmp_path, 'stat -c %a "$(dirname "$(command -v python)")"')
    assert int(done.stdout, 8) == stat.S_IRWXU


def test_a_run_goes_on_where_no_stand_ins_can_be_made(tmp_path: pathlib.Path) -> None:
    done = run_line(tmp_path, "command -v python", TMPDIR="/proc/nothing", TEMP="/proc/nothing", TMP="/proc/nothing")
    assert done.returncode == 0


def test_arguments_and_status_are_those_of_the_program(tmp_path: pathlib.Path) -> None:
    done = run_line(tmp_path, "python -c 'import sys; print(sys.argv[1:]); sys.exit(7)' 'a  b' '*' ''")
    assert (done.returncode, done.stdout) == (7, "['a  b', '*', '']\n")
