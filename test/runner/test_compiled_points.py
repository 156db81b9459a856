"""Points of a sweep with torch.compile: they run what a C++ compiler made, beside the same points without."""

from __future__ import annotations

import gzip
import os
import pathlib
import shutil
from typing import Any

import pytest
from bench_points import REFERENCE, TINY, Measured, run_point

COMPILER = shutil.which(os.environ.get("CXX", "g++"))
# One graph for all tests, in a cache that outlives them: making it takes a minute.
POINT: dict[str, Any] = {**REFERENCE, "size": {**TINY, "layers": 1}, "precision": "bf16"}
CACHE = os.path.join(os.environ.get("TMPDIR", "/tmp"), "gpu-lens-inductor")


def run(folder: pathlib.Path, is_compiled: bool, *options: str) -> Measured:
    """Measures the point; skips where nothing can be compiled."""
    if COMPILER is None:
        pytest.skip("torch.compile needs a C++ compiler, and there is none")
    env = {"TORCHINDUCTOR_CACHE_DIR": CACHE}
    done = run_point(folder, {**POINT, "compiled": is_compiled}, *options, env=env, seconds=1200)
    assert done.status == 0, done.output
    assert done.event("done")["error"] is None
    return done


@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_compiled_point_has_the_steps_of_a_plain_one(tmp_path: pathlib.Path, is_compiled: bool) -> None:
    done = run(tmp_path, is_compiled)
    warmup, measured = done.steps("warm-up"), done.steps("measured")
    assert (len(warmup), len(measured)) == (2, 3)
    assert all(
        set(event["phases"]) == {"forward", "backward", "optimizer"} for event in done.events if "phases" in event
    )
    print(f"compiled: {is_compiled}; warm-up {warmup} ns, measured {measured} ns")


@pytest.mark.parametrize("is_compiled", [False, True])
def test_its_profile_has_what_was_compiled_inside_the_tags(tmp_path: pathlib.Path, is_compiled: bool) -> None:
    path = tmp_path / "point.json.gz"
    run(tmp_path, is_compiled, "--profile", str(path))
    text = gzip.decompress(path.read_bytes()).decode()
    for tag in ("forward_pass", "backward_pass", "optimizer_step"):
        assert text.count(f'"name": "{tag}"') >= 3
    assert ("Torch-Compiled Region" in text) == is_compiled


@pytest.mark.long
def test_a_compiled_point_has_a_precision_map(tmp_path: pathlib.Path) -> None:
    rows = {row["name"]: row for row in run(tmp_path, True, "--precision-map").event("precision")["rows"]}
    assert rows["(model)"]["outputs"] == ["bfloat16"]
    assert rows["layers.0.ffn.gate"]["parameters"] == ["float32"]


def test_without_a_compiler_a_compiled_point_says_what_is_lacking(tmp_path: pathlib.Path) -> None:
    env = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"), "CXX": str(tmp_path / "no-compiler")}
    point = {**POINT, "pass_name": "forward", "compiled": True}
    done = run_point(tmp_path, point, env=env, seconds=1200)
    assert done.status == 1
    failed = done.event("failed")
    assert failed["error"] == "unsupported", failed
    assert "C++ compiler" in failed["message"]
