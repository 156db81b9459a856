"""The wheel `gpu-lens`, built, installed into an environment of its own, and used there."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import textwrap

import pytest
from conftest import RUNNER

PROJECT = RUNNER.parents[1]
CLI = PROJECT / "dist" / "cli.cjs"
SAMPLE = PROJECT / "media" / "sample" / "profile" / "train.pt.trace.json.gz"
NODE = PROJECT / "node_modules" / "node" / "bin"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The Python of an environment with the wheel; the packages of this one, such as torch, are seen from there."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "runner"
    shutil.copytree(RUNNER, source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    version = json.loads((PROJECT / "package.json").read_text(encoding="utf-8"))["version"]
    assert wheel.name == f"gpu_lens-{version}-py3-none-any.whl"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    scripts = "Scripts" if os.name == "nt" else "bin"
    python = folder / "venv" / scripts / pathlib.Path(sys.executable).name
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", site, str(wheel)], check=True)
    # Behind the wheel's own.
    (pathlib.Path(site) / "beside.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


def run(python: pathlib.Path, code: str, cwd: pathlib.Path, **env: str) -> str:
    """What code prints in the environment, with no path to the checkout but the command line's."""
    surroundings = {**os.environ, "GPU_LENS_CLI": str(CLI), "PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}", **env}
    surroundings.pop("PYTHONPATH", None)
    command = [python, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, cwd=cwd, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_answers_are_those_of_the_command_line(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code = f"""
        import gpulens, json
        profile = gpulens.open({str(SAMPLE)!r}, frames="rows")
        counted = profile.query("SELECT count(*) AS n FROM ranges WHERE name = 'train_step'")
        answers = [profile.ranges(all_figures=True), counted, profile.info()]
        try:
            profile.ranges(step=99)
        except gpulens.CommandLineError as error:
            answers.append(str(error))
        print(json.dumps([gpulens.__file__, *answers]))
    """
    file, ranges, counted, info, error = json.loads(run(installed, code, tmp_path))
    assert pathlib.Path(file).is_relative_to(installed.parents[1])
    command = [shutil.which("node", path=f"{NODE}{os.pathsep}{os.environ['PATH']}"), CLI]
    expected = subprocess.run(
        [*command, "ranges", SAMPLE, "--all-figures", "--format", "json"], check=True, capture_output=True, text=True
    )
    assert ranges == json.loads(expected.stdout)
    assert counted == [{"n": next(row["count"] for row in ranges if row["name"] == "train_step")}]
    assert info["format"] == "kineto"
    assert error == "gpu-lens: This profile has no step 99."


def test_without_the_command_line_it_says_how_to_get_it(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code = f"""
        import gpulens
        try:
            gpulens.open({str(SAMPLE)!r}).info()
        except gpulens.CommandLineError as error:
            print(error)
    """
    said = run(installed, code, tmp_path, GPU_LENS_CLI="", PATH=str(tmp_path))
    advice = (
        "install the npm package that `npm run package -- npm` makes in a checkout of GPU Lens, "
        "or set GPU_LENS_CLI to the path of gpu-lens"
    )
    assert said == f"The command line gpu-lens is not there: {advice}.\n"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_those_of_the_library_that_is_installed(
    installed: pathlib.Path, tmp_path: pathlib.Path, library: str
) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    code = f"""
        import gpulens
        frame = gpulens.open({str(SAMPLE)!r}, frames={library!r}).ranges()
        print(type(frame).__module__.split(".")[0], frame["line"].dtype, frame["cpuWallNs"].sum() > 0)
    """
    assert run(installed, code, tmp_path) == f"{library} Int64 True\n"


def test_code_records_itself_and_asks_what_it_recorded(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code = """
        import gpulens, json, torch
        model = torch.nn.Linear(8, 8)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        def steps(count):
            for _ in range(count):
                with torch.profiler.record_function("step"):
                    model(torch.ones(2, 8)).sum().backward()
                    optimizer.step()
        said = []
        for active in (2, 1):
            with gpulens.profile(active=active, warmup=1) as recording:
                try:
                    with gpulens.profile():
                        pass
                except RuntimeError as error:
                    said.append(str(error))
                steps(6)
            steps(3)
            (profile,) = recording.profiles
            said += [row["count"] for row in gpulens.open(profile.path, "rows").ranges() if row["name"] == "step"]
            assert recording.errors == []
        print(json.dumps(said))
    """
    busy = "GPU Lens is recording already: a process records one thing at a time."
    assert json.loads(run(installed, code, tmp_path)) == [busy, 2, busy, 1]
    assert len(list((tmp_path / ".gpu-lens" / "runs").iterdir())) == 2
