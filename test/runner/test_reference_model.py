"""The reference model: its parameters, its tags, and that it computes what it should."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest
import torch
from bench_points import REFERENCE, TINY, run_point

from gpulens_bench.attention import Rope, scaled_dot_product_attention
from gpulens_bench.model import RMSNorm, Transformer
from gpulens_bench.point import Size
from gpulens_bench.work import count_parameters

TAGS = """attention_sublayer, ffn_sublayer, attention projections, rope encoding, scaled_dot_product_attention,
computing attention scores, causal mask construction, computing softmax, final matmul, output projection,
token_embeddings, final_norm, lm_head, forward_pass, backward_pass, optimizer_step"""


@pytest.mark.parametrize(
    ("shape", "every", "without_embedding"),
    [
        # 120.945408 M is what the kept report of these sizes prints, with one vocabulary matrix left out.
        ((768, 3072, 12, 12), 128_625_408, 120_945_408),
        ((2560, 10240, 32, 32), 3_406_809_600, 3_381_209_600),
    ],
)
def test_parameters_are_counted_both_ways(shape: tuple[int, ...], every: int, without_embedding: int) -> None:
    with torch.device("meta"):
        model = Transformer(Size("any", *shape), 10_000, 16)
    assert count_parameters(model) == (every, without_embedding)


def test_no_parameter_depends_on_the_context_length() -> None:
    size = Size(**TINY)
    assert count_parameters(Transformer(size, 100, 8)) == count_parameters(Transformer(size, 100, 64))


def test_attention_is_what_pytorch_computes() -> None:
    torch.manual_seed(1)
    query, key, value = torch.randn(3, 2, 4, 7, 8)
    mask = torch.ones(7, 7, dtype=torch.bool).tril()
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    torch.testing.assert_close(scaled_dot_product_attention(query, key, value, mask), expected)


def test_norm_is_what_pytorch_computes() -> None:
    x = torch.randn(2, 3, 16)
    expected = torch.nn.functional.rms_norm(x, (16,), eps=1e-5)
    torch.testing.assert_close(RMSNorm(16)(x), expected)


def test_rope_keeps_lengths_and_depends_on_distance_alone() -> None:
    rope = Rope(8, 32)
    torch.manual_seed(1)
    query, key = torch.randn(2, 8)
    queries, keys = rope(query.expand(32, 8)), rope(key.expand(32, 8))
    torch.testing.assert_close(queries.norm(dim=-1), query.norm().expand(32))
    products = queries @ keys.T
    torch.testing.assert_close(products[5, 2], products[25, 22])
    assert not torch.isclose(products[5, 2], products[5, 3])


def test_logits_look_at_nothing_that_comes_later() -> None:
    torch.manual_seed(1)
    model = Transformer(Size(**TINY), 100, 16)
    tokens = torch.randint(0, 100, (1, 16))
    changed = tokens.clone()
    changed[0, 10:] = (changed[0, 10:] + 1) % 100
    logits, other = model(tokens), model(changed)
    torch.testing.assert_close(logits[0, :10], other[0, :10])
    assert not torch.allclose(logits[0, 10:], other[0, 10:])


def test_a_profile_has_all_tags(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "profiles" / "tiny.pt.trace.json.gz"
    done = run_point(tmp_path, REFERENCE, "--profile", str(path))
    assert done.status == 0, done.output
    assert done.event("trace")["path"] == str(path)
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    names = [event["name"] for event in events if event.get("cat") == "user_annotation"]
    expected = {name.strip() for name in TAGS.split(",")} | {"layer_0", "layer_1"}
    assert expected <= set(names)
    assert names.count("forward_pass") == 3
    assert names.count("attention_sublayer") == 6
