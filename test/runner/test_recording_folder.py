"""The folders of recordings that several ranks start at once."""

from __future__ import annotations

import pathlib
import sys
import threading

from conftest import RUNNER

sys.path.insert(0, str(RUNNER))

from gpulens_runner.recording_folder import make_folder  # noqa: E402 -- the runner is no installed package.


def test_ranks_that_start_at_once_each_get_a_folder(tmp_path: pathlib.Path) -> None:
    for attempt in range(50):
        output = tmp_path / str(attempt)
        ranks = 8
        start = threading.Barrier(ranks)
        folders: list[str] = []

        def rank(output: pathlib.Path = output, start: threading.Barrier = start, folders: list[str] = folders) -> None:
            start.wait()
            folders.append(make_folder(str(output), "code"))

        threads = [threading.Thread(target=rank) for _ in range(ranks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(folders)) == ranks
        assert (output / ".gitignore").exists()


def test_a_folder_of_the_user_is_not_ignored_by_git_but_the_usual_one_is(tmp_path: pathlib.Path) -> None:
    for name, is_ignored in (("mine", False), (".gpu-lens", True)):
        (tmp_path / name).mkdir()
        make_folder(str(tmp_path / name), "code")
        assert (tmp_path / name / ".gitignore").exists() == is_ignored
