"""Scripts that set PYTHONPATH anew are recorded all the same."""

from __future__ import annotations

import json
import os
import pathlib
import shlex
import stat
import subprocess
import sys

import pytest
from conftest import PATIENCE_S, runner_command

BIN = os.path.dirname(sys.executable)
ASK = "import os, sys; print(sys.executable, os.environ['PYTHONPATH'], 'sitecustomize' in sys.modules)"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such scripts")


def run_line(folder: pathlib.Path, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        runner_command(folder, folder, "sh", "-c", line),
        env={**os.environ, "PATH": BIN + os.pathsep + os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
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


ENDS = "ulimit -t 120"
"""Ends programs that would otherwise start each other for ever in one process."""

PYENV = """#!/bin/sh
# As pyenv where its version is `system`: runs the next python that is not its own, and leaves PATH as it is.
name=${0##*/}
PROGRAM=$(PATH=$(printf %s "$PATH" | sed "s|SHIMS:||"); command -v "$name")
exec "$PROGRAM" "$@"
"""


def with_pyenv(folder: pathlib.Path, name: str = "python") -> str:
    """PATH with a program first that is as pyenv's."""
    shims = folder / "pyenv" / "shims"
    shims.mkdir(parents=True)
    (shims / name).write_text(PYENV.replace("SHIMS", str(shims)))
    (shims / name).chmod(0o700)
    return os.pathsep.join([str(shims), BIN, os.environ["PATH"]])


def test_a_run_in_a_run_finds_the_program_of_both(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "inner"
    inner = shlex.join(runner_command(out, tmp_path, "sh", "-c", f'python -c "{ASK}; import torch"; exit 7'))
    done = run_line(tmp_path, f"{ENDS}; exec {inner}")
    assert done.returncode == 7, done.stderr
    assert os.path.dirname(done.stdout.split()[0]) == BIN
    assert "armed" in events(out)


def test_a_program_that_looks_for_the_next_one_finds_it_behind_the_stand_in(tmp_path: pathlib.Path) -> None:
    done = run_line(tmp_path, f'{ENDS}; python -c "{ASK}"; python -c "import torch"', PATH=with_pyenv(tmp_path))
    assert (done.returncode, os.path.dirname(done.stdout.split()[0])) == (0, BIN), done.stderr
    assert "armed" in events(tmp_path)


def test_a_program_may_start_itself_anew_by_its_name(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "again.py"
    script.write_text(
        "import os, sys\n"
        "print(sys.executable, flush=True)\n"
        "if len(sys.argv) < 4: os.execvp('python', ['python', *sys.argv, 'again'])\n"
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / "python").write_text("#!/bin/sh\necho another\n")
    (other / "python").chmod(0o700)
    path = os.pathsep.join([BIN, str(other), os.environ["PATH"]])
    done = run_line(tmp_path, f"python {shlex.quote(str(script))}", PATH=path)
    assert [os.path.dirname(line) for line in done.stdout.splitlines()] == [BIN] * 4, done.stderr


def test_what_a_stand_in_notes_is_not_the_programs(tmp_path: pathlib.Path) -> None:
    ask = "import os; print('GPULENS_CONFIG' in os.environ, 'GPULENS_SHIM' in os.environ)"
    done = run_line(tmp_path, f'python -c "{ask}"')
    assert done.stdout == "True False\n", done.stderr
