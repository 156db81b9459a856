import {describe, expect, it} from 'vitest';
import {findPythonTags} from '../../src/source/python-tags.js';

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
    ['record_function(b"a")', '?'],
    ['record_function()', '?'],
  ])('%s is called %j', (source, name) => {
    expect(tagsOf(source)).toEqual([`1 record_function ${name}`]);
  });

  it.each([
    'def record_function(name): pass',
    'for i in range(3): pass',
    'import random\nrandom.range("a")',
    '# with record_function("a"):',
    '"record_function(\'a\')"',
    'my_record_function("a")',
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

  it('reads a text made to be slow within a second', () => {
    const source = `record_function(${'('.repeat(20_000)}"a"\n`.repeat(3);
    const before = performance.now();
    findPythonTags(source);
    expect(performance.now() - before).toBeLessThan(5000);
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
  ])('tells what %j covers, by lines', (source, lines) => {
    expect(findPythonTags(source).map(({line, endLine}) => [line, endLine])).toEqual(lines);
  });
});
