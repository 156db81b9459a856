"""What differs on Windows: paths, and how processes are asked for and ended. Its own functions are stand-ins here."""

from __future__ import annotations

import ctypes
import ntpath
import sys
import types
from typing import Any

import pytest
from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner import process_tree, source_paths, supervisor, windows_process  # noqa: E402 -- it is not installed.
from gpulens_runner.config import Config  # noqa: E402


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the runner's own modules take paths as Windows does."""
    system = types.SimpleNamespace(path=ntpath, sep="\\", pathsep=";", name="nt", environ={}, getpid=lambda: 1)
    for module in (source_paths, process_tree, supervisor):
        monkeypatch.setattr(module, "os", system)
    # Python on other systems cannot look through links of Windows.
    monkeypatch.setattr(ntpath, "realpath", ntpath.normpath)


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        (r"C:\my work\ä\train.py", "ä/train.py"),
        (r"C:\my work\.\models\..\net.py", "net.py"),
        (r"C:\my workshop\train.py", "C:/my workshop/train.py"),
        (r"D:\elsewhere\train.py", "D:/elsewhere/train.py"),
        (r"\\server\share\train.py", "//server/share/train.py"),
    ],
)
def test_paths_in_a_sidecar_have_slashes_and_begin_at_the_workspace(windows: None, path: str, relative: str) -> None:
    paths = source_paths.SourcePaths("C:\\my work", r"C:\venv\Lib\site-packages\torch")
    assert paths.relative(path) == relative


def test_files_of_torch_are_known(windows: None) -> None:
    paths = source_paths.SourcePaths("C:\\my work", r"C:\venv\Lib\site-packages\torch")
    assert paths.is_torch(r"C:\venv\Lib\site-packages\torch\nn\modules\module.py")
    assert not paths.is_torch(r"C:\venv\Lib\site-packages\torchvision\models.py")


@pytest.mark.parametrize("inherited", [None, r"C:\my modules;D:\more"])
def test_the_runner_comes_before_the_folders_of_the_users_own(windows: None, inherited: str | None) -> None:
    if inherited is not None:
        supervisor.os.environ["PYTHONPATH"] = inherited
    environment = supervisor._environment(Config(out="o", events="e", root="r"))
    boot, *others = environment["PYTHONPATH"].split(";")
    assert boot.endswith(r"\boot")
    assert others == ([] if inherited is None else inherited.split(";"))


def test_a_tree_is_ended_by_the_system(windows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []
    run = types.SimpleNamespace(run=lambda command, capture_output: calls.append(command))
    monkeypatch.setattr(process_tree, "subprocess", run)
    process_tree.end_run(4711, "a-run", lambda: True)
    assert calls == [["taskkill", "/T", "/F", "/PID", "4711"]]


class Kernel:
    """`kernel32` of a system where one process runs, one has ended, one is another user's, and others are not."""

    def __init__(self) -> None:
        self.open: list[int] = []
        self.error = 0
        self.OpenProcess, self.WaitForSingleObject, self.CloseHandle = (
            self._function(function) for function in (self._open, self._wait, self._close)
        )

    @staticmethod
    def _function(function: Any) -> Any:
        # Types of arguments and results can be set on it, as on one of a library.
        return type("Function", (), {"__call__": staticmethod(function)})()

    def _open(self, access: int, inherits: bool, pid: int) -> int | None:
        assert (access, inherits) == (0x100000, False)
        self.error = {30: 5}.get(pid, 87)
        if pid not in (10, 20):
            return None
        self.open.append(pid)
        return pid

    def _wait(self, handle: int, milliseconds: int) -> int:
        assert milliseconds == 0
        return 0x102 if handle == 10 else 0

    def _close(self, handle: int) -> None:
        self.open.remove(handle)


@pytest.mark.parametrize(("pid", "runs"), [(10, True), (20, False), (30, True), (40, False)])
def test_a_process_is_asked_for_without_ending_it(
    windows: None, monkeypatch: pytest.MonkeyPatch, pid: int, runs: bool
) -> None:
    kernel = Kernel()
    monkeypatch.setattr(ctypes, "WinDLL", lambda name, use_last_error: kernel, raising=False)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: kernel.error, raising=False)
    assert windows_process.is_running(pid) is runs
    assert process_tree.is_alive(pid) is runs
    assert kernel.open == []
