import {describe, expect, it} from 'vitest';
import {findPythonTags} from '../../src/source/python-tags.js';
import {comparedWithUsualWork} from '../support/usual-work.js';

/** Tags as `line api name`, with … for expressions; `?` where the name is computed. */
function tagsOf(source: string): string[] {
  return findPythonTags(source).map(({line, api, pattern}) => `${String(line)} ${api} ${pattern?.join('…') ?? '?'}`);
}

describe('findPythonTags(text)', () => {
  it.each([
    ['from torch.profiler import record_function\nwith record_function("a"):\n  pass', ['2 record_function a']],
    ['import torch\nwith torch.profiler.record_function("a"): pass', ['2 record_function a']],
    ['import torch.profiler as tp\nwith tp.record_function("a"): pass', ['2 record_function a']],
    ['from torch import profiler\nwith profiler.record_function("a"): pass', ['2 record_function a']],
    ['import torch\nwith torch.autograd.profiler.record_function("a"): pass', ['2 record_function a']],
    [
      'from torch.profiler import record_function as rf\nwith rf("a") as x, rf("b"): pass',
      ['2 record_function a', '2 record_function b'],
    ],
    [
      'from torch.profiler import (\n  profile,  # comment\n  record_function as rf,\n)\nwith (rf("a")): pass',
      ['5 record_function a'],
    ],
    ['from torch.profiler import *\nwith record_function("a"): pass', ['2 record_function a']],
    ['@torch.profiler.record_function("step")\ndef f(): pass', ['1 record_function step']],
    ['@record_function("step")\nasync def f(): pass', ['1 record_function step']],
    ['class A:\n  @record_function("m")\n  def f(self): pass', ['2 record_function m']],
    ['import torch\nwith torch.cuda.nvtx.range("a"): pass', ['2 torch.cuda.nvtx.range a']],
    ['from torch.cuda import nvtx\nnvtx.range_push("a")\nnvtx.range_pop()', ['2 torch.cuda.nvtx.range_push a']],
    ['import torch.cuda.nvtx as nv\nnv.range_push(msg="a")', ['2 torch.cuda.nvtx.range_push a']],
    ['from torch.cuda.nvtx import range_push as push\npush("a")', ['2 torch.cuda.nvtx.range_push a']],
    ['from torch.cuda.nvtx import range\nwith range("a"): pass', ['2 torch.cuda.nvtx.range a']],
    ['import torch\npush = torch.cuda.nvtx.range_push\npush("a")', ['3 torch.cuda.nvtx.range_push a']],
    [
      'from torch.profiler import record_function\nrf = record_function  # short\nwith rf("a"): pass',
      ['3 record_function a'],
    ],
    [
      'import torch\ndef f():\n  rf = torch.profiler.record_function\n  with rf("a"):\n    pass',
      ['4 record_function a'],
    ],
    ['from torch.cuda.nvtx import *\nrange_push("a")', ['2 torch.cuda.nvtx.range_push a']],
    ['import torch\nh = torch.cuda.nvtx.range_start("a")', ['2 torch.cuda.nvtx.range_start a']],
    ['import torch\nwith torch.cuda.nvtx.range("l{}", i): pass', ['2 torch.cuda.nvtx.range l…']],
    ['import torch\nwith torch.cuda.nvtx.range("a{{b}}"): pass', ['2 torch.cuda.nvtx.range a{b}']],
    ['import torch\n@torch.cuda.nvtx.range("a")\ndef f(): pass', ['2 torch.cuda.nvtx.range a']],
    ['import torch\nwith torch._C._profiler._RecordFunctionFast("a"): pass', ['2 record_function a']],
    ['import torch\nwith torch.autograd.profiler.emit_nvtx(): pass', ['2 emit_nvtx ?']],
    ['from torch.autograd.profiler import emit_nvtx as en\nwith en(record_shapes=True): pass', ['2 emit_nvtx ?']],
    ['import nvtx\nwith nvtx.annotate("a", color="red"): pass', ['2 nvtx.annotate a']],
    ['import nvtx\nwith nvtx.annotate(message="a"): pass', ['2 nvtx.annotate a']],
    ['import nvtx\nwith nvtx.annotate("a", domain="d"): pass', ['2 nvtx.annotate d:a']],
    ['import nvtx\nwith nvtx.annotate("a", "red", "d"): pass', ['2 nvtx.annotate d:a']],
    ['import nvtx\nwith nvtx.annotate("a", domain=None): pass', ['2 nvtx.annotate a']],
    ['import nvtx\nwith nvtx.annotate("a", domain=d): pass', ['2 nvtx.annotate …:a']],
    ['import nvtx\n@nvtx.annotate()\ndef f(): pass', ['2 nvtx.annotate f']],
    [
      'from nvtx import annotate as an\nclass A:\n  @an(color="blue", domain="d")\n  def f(self): pass',
      ['3 nvtx.annotate d:f'],
    ],
    ['import nvtx\n@nvtx.annotate("a")\ndef f(): pass', ['2 nvtx.annotate a']],
    ['import nvtx\nwith nvtx.annotate(): pass', ['2 nvtx.annotate ?']],
    ['import nvtx\nnvtx.push_range("a", domain="d")\nnvtx.pop_range(domain="d")', ['2 nvtx.push_range d:a']],
    ['from nvtx import start_range, end_range\nr = start_range("a")\nend_range(r)', ['2 nvtx.start_range a']],
    [
      'import nvtx\nd = nvtx.get_domain("d")\na = d.get_event_attributes(message="a")\nd.push_range(a)\nd.pop_range()',
      ['4 nvtx.push_range d:a'],
    ],
    [
      'import nvtx\nr = nvtx.get_domain("d").start_range(nvtx.get_domain("d").get_event_attributes("a"))',
      ['2 nvtx.start_range d:a'],
    ],
    ['import jax\nwith jax.profiler.TraceAnnotation("a"): pass', ['2 jax.profiler.TraceAnnotation a']],
    [
      'from jax.profiler import StepTraceAnnotation\nwith StepTraceAnnotation("train", step_num=i): pass',
      ['2 jax.profiler.StepTraceAnnotation train'],
    ],
    ['import jax\n@jax.profiler.annotate_function\ndef f(): pass', ['2 jax.profiler.annotate_function f']],
    [
      'import jax\nclass A:\n  @jax.profiler.annotate_function\n  def f(self): pass',
      ['3 jax.profiler.annotate_function A.f'],
    ],
    [
      'import jax\ndef g():\n  @jax.profiler.annotate_function\n  def f(): pass',
      ['3 jax.profiler.annotate_function g.<locals>.f'],
    ],
    ['import jax\nwith jax.named_scope("a"): pass', ['2 jax.named_scope a']],
    ['from jax import named_scope\n@named_scope("a")\ndef f(): pass', ['2 jax.named_scope a']],
    ['import triton.profiler as proton\nwith proton.scope("a"): pass', ['2 proton.scope a']],
    ['import triton.profiler as p\np.enter_scope("a")\np.exit_scope()', ['2 proton.enter_scope a']],
    ['import triton.profiler.language as pl\npl.enter_scope("a")', ['2 proton.enter_scope a']],
    ['import triton.profiler as proton\n@proton.scope("a")\ndef f(): pass', ['2 proton.scope a']],
    ['with record_function(name="a", args="x"): pass', ['1 record_function a']],
    ['with record_function(\n    "a"\n): pass', ['1 record_function a']],
  ])('%s', (source, expected) => {
    expect(tagsOf(source)).toEqual(expected);
  });

  it.each([
    ['record_function("a" "b")', 'ab'],
    ["record_function('''a\nb''')", 'a\nb'],
    [String.raw`record_function("a\tb\"c\x41\u00e9\q")`, 'a\tb"cA\u00e9\\q'],
    [String.raw`record_function(r"a\tb")`, String.raw`a\tb`],
    ['record_function(f"layer_{i}")', 'layer_…'],
    ['record_function(f"{kind}_{i:02d}{{x}}.fwd")', '…_…{x}.fwd'],
    [`record_function(f"a{d['k']}b{n!r}")`, 'a…b…'],
    ['record_function(f"a" f"{i}" "b")', 'a…b'],
    ['record_function(("a"))', 'a'],
    ['record_function(f"{name}")', '?'],
    ['record_function(name)', '?'],
    ['record_function("layer_" + str(i))', 'layer_…'],
    ['record_function("a" + "b" + c + "d")', 'ab…d'],
    ['record_function("layer_%d of %s" % (i, n))', 'layer_… of …'],
    ['record_function("100%% of %(name)-5.2f" % d)', '100% of …'],
    ['record_function("layer_{}.{:>{w}}{{x}}".format(i, j))', 'layer_….…{x}'],
    ['record_function(("a" if c else "b"))', '?'],
    ['record_function((n := "a"))', 'a'],
    ['record_function(*args)', '?'],
    ['record_function(**kwargs)', '?'],
    [String.raw`record_function("\101\U0001F600")`, 'A😀'],
    ['record_function(b"a")', '?'],
    ['record_function()', '?'],
  ])('%s is called %j', (source, name) => {
    expect(tagsOf(source)).toEqual([`1 record_function ${name}`]);
  });

  it.each([
    ['NAME = "a"\nrecord_function(NAME)', 'a'],
    ['NAME: str = "a"\ndef f():\n  record_function(NAME)', 'a'],
    ['PREFIX = "a"\nrecord_function(f"{PREFIX}.fwd")', 'a.fwd'],
    ['PREFIX = "a"\nrecord_function(f"{PREFIX!r}.fwd")', '….fwd'],
    ['A = "a"\nB = A + ".b"\nrecord_function(B)', 'a.b'],
    ['T = "layer_%d"\nrecord_function(T % i)', 'layer_…'],
    ['T = f"{x}_{{}}"\nrecord_function(T.format(i))', '…_…'],
    ['def f():\n  name = f"l{i}"\n  with record_function(name): pass', 'l…'],
    ['class A:\n  NAME = "a"\n  def f(self):\n    record_function(self.NAME)', 'a'],
    ['class A:\n  def __init__(self):\n    self.name = "a"\n  def f(self):\n    record_function(self.name)', 'a'],
    ['class A:\n  NAME = "a"\nrecord_function(A.NAME)', 'a'],
    ['class A(Enum):\n  X = "a"\nrecord_function(A.X.value)', 'a'],
    ['NAME = "a"\nNAME = "b"\nrecord_function(NAME)', '?'],
    ['NAME = "a"\nNAME += "b"\nrecord_function(NAME)', '?'],
    ['NAME = "a"\ndef f(NAME):\n  record_function(NAME)', '?'],
    ['NAME = "a"\ndef f():\n  global NAME\n  NAME = "b"\nrecord_function(NAME)', '?'],
    ['NAME, other = "a", "b"\nrecord_function(NAME)', '?'],
    ['for NAME in "ab":\n  record_function(NAME)', '?'],
    ['class A:\n  NAME = "a"\n  def f(self):\n    record_function(NAME)', '?'],
    ['a = b\nb = a\nrecord_function(a)', '?'],
  ])('%j is called %j: constants are followed', (source, name) => {
    expect(tagsOf(source).map(tag => tag.replace(/^\d+ record_function /, ''))).toEqual([name]);
  });

  it.each([
    'def record_function(name): pass',
    'import record_function as *\nx = *record_function',
    'from torch import record_function as (\nx = 1',
    'from torch.profiler import record_function as a+b\na+b("x")',
    'for i in range(3): pass',
    'import random\nrandom.range("a")',
    '# with record_function("a"):',
    '"record_function(\'a\')"',
    'my_record_function("a")',
    'import tensorflow as tf\nwith tf.named_scope("a"): pass',
    'import nvtx\nnvtx.mark("a")',
    'def annotate(a): pass\nannotate("nvtx")',
    'import nvtx\n@nvtx.annotate\ndef f(): pass',
    '',
  ])('finds nothing in %j', source => {
    expect(tagsOf(source)).toEqual([]);
  });

  it('reads on after an unfinished line', () => {
    const source = 'def f():\n  with record_function("unfinished\n  y = record_function("b")\n';
    expect(tagsOf(source)).toContain('3 record_function b');
  });

  it('counts lines and offsets as editors do', () => {
    const source = '# 😀\r\nwith record_function("a"): pass';
    expect(findPythonTags(source)).toMatchObject([{line: 2, offset: source.indexOf('record_function')}]);
  });

  it('comes to an end with imports of many blanks', () => {
    const source = `import a${' '.repeat(1_000_000)}b\nrecord_function("a")`;
    expect(tagsOf(source)).toEqual(['2 record_function a']);
  });

  it('takes no long time for a text made to be slow', async () => {
    const source = `record_function(${'('.repeat(20_000)}"a"\n`.repeat(3);
    const {times} = await comparedWithUsualWork(() => findPythonTags(source));
    expect(times).toBeLessThan(20);
  });

  it.each([
    ['with record_function("a"):\n  x = 1\n\n  y = 2  # end\n\n\nz = 3', [[1, 4]]],
    [
      'with record_function("a") as a, record_function("b"):\n  x = 1\n',
      [
        [1, 2],
        [1, 2],
      ],
    ],
    ['@record_function("a")\n@other\ndef f():\n  return 1\n\nx = f()', [[1, 4]]],
    ['with a:\n  record_function("a")\n  x = 1\n', [[2, 2]]],
    ['with record_function("a"):', [[1, 1]]],
    ['with (record_function("a") if p else nullcontext()):\n  x = 1', [[1, 2]]],
    [
      'with (\n  record_function("a") as a,\n  record_function("b"),\n):\n  x = 1',
      [
        [2, 5],
        [3, 5],
      ],
    ],
    ['with ExitStack() as s:\n  s.enter_context(record_function("a"))\n  x = 1', [[2, 3]]],
    ['def f():\n  cm = record_function("a") if p else nullcontext()\n  with cm:\n    x = 1\n  y = 2', [[2, 4]]],
    [
      'from torch.cuda.nvtx import *\nrange_push("a")\nrange_push("b")\nx = 1\nrange_pop()\nrange_pop()',
      [
        [2, 6],
        [3, 5],
      ],
    ],
    ['from torch.cuda.nvtx import *\ndef f():\n  range_push("a")\ndef g():\n  range_pop()', [[3, 3]]],
    [
      'from torch.cuda.nvtx import *\ndef f():\n  range_push("a")\n  if x:\n    range_pop()\n    return\n  range_pop()',
      [[3, 7]],
    ],
    [
      'import nvtx\na = nvtx.start_range("a")\nb = nvtx.start_range("b")\nnvtx.end_range(a)\nnvtx.end_range(b)',
      [
        [2, 4],
        [3, 5],
      ],
    ],
    [
      'import nvtx\nnvtx.push_range("a", domain="d")\nnvtx.push_range("b")\nnvtx.pop_range("d")\nnvtx.pop_range()',
      [
        [2, 4],
        [3, 5],
      ],
    ],
  ])('tells what %j covers, by lines', (source, lines) => {
    expect(findPythonTags(source).map(({line, endLine}) => [line, endLine])).toEqual(lines);
  });

  it.each([
    [
      'names that double',
      `a0 = "x"\n${Array.from({length: 60}, (_, i) => `a${String(i + 1)} = a${String(i)} + a${String(i)}\n`).join('')}record_function(a60)`,
    ],
    ['conversions that do not end', `record_function("${'%('.repeat(200_000)}" % x)`],
    ['fields that do not end', `record_function("${'{'.repeat(200_000)}".format(x))`],
    ['variables that no block enters', 'x = record_function("a")\n'.repeat(10_000)],
    ['calls in calls', 'record_function('.repeat(5000)],
  ])('comes to an end with %s', (_, source) => {
    expect(findPythonTags(source).length).toBeGreaterThan(0);
  });
});
