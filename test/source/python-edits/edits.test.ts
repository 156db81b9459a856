import {describe, expect, it} from 'vitest';
import {applyReplacements} from '../../../src/core/source/replacement.js';
import type {ParsedText} from '../../../src/source/parsed-text.js';
import {removeTag} from '../../../src/source/python-edits/remove-tag.js';
import {tagFunction} from '../../../src/source/python-edits/tag-function.js';
import {tagEveryForward, tagSubmodules} from '../../../src/source/python-edits/tag-modules.js';
import {wrapSelection, type TagEdit} from '../../../src/source/python-edits/wrap-selection.js';
import {parsePython} from '../../../src/source/python-tags.js';

/** What an edit makes of a text in which «…» is selected, or | is the cursor; null where it is not offered. */
function edited(source: string, edit: (parsed: ParsedText, from: number, to: number) => TagEdit | null): string | null {
  const from = source.search(/[«|]/);
  const text = source.replace(/[«|»]/g, '');
  const to = source.includes('»') ? source.indexOf('»') - 1 : from;
  const made = edit(parsePython(text), from, to);
  return made && applyReplacements(text, made.replacements);
}

const header = 'from torch.profiler import record_function\n';

describe('wrapSelection(parsed, from, to, kind)', () => {
  const wrapped = (source: string, kind: 'record_function' | 'nvtx' = 'record_function') =>
    edited(source, (parsed, from, to) => wrapSelection(parsed, from, to, kind));

  it.each([
    [`${header}«x = model(y)»\n`, `${header}with record_function("model"):\n    x = model(y)\n`],
    [`${header}|x = 1\ny = 2`, `${header}with record_function("block"):\n    x = 1\ny = 2`],
    [
      `${header}def f():\n  «a()  # why\n  # between\n\n  b(\n    1,\n  )»\n  c()\n`,
      `${header}def f():\n  with record_function("a"):\n    a()  # why\n    # between\n\n    b(\n      1,\n    )\n  c()\n`,
    ],
    [
      `${header}def f():\n\tif x:\n\t\t«pass»\n`,
      `${header}def f():\n\tif x:\n\t\twith record_function("f"):\n\t\t\tpass\n`,
    ],
    [
      `${header}def f():\n    «s = """a\n  b"""\n    return self.net.run(s)»\n`,
      `${header}def f():\n    with record_function("net.run"):\n        s = """a\n  b"""\n        return self.net.run(s)\n`,
    ],
    [`${header}if a: «b()»\n`, `${header}with record_function("b"):\n    if a: b()\n`],
    [`${header}a(); «b()»; c()\n`, `${header}with record_function("a"):\n    a(); b(); c()\n`],
    [
      `${header}if a:\n    «b()\nelse:\n    c»()\nd()\n`,
      `${header}with record_function("b"):\n    if a:\n        b()\n    else:\n        c()\nd()\n`,
    ],
    [
      `${header}def f():\n    «"""Says."""\n    a()»\n`,
      `${header}def f():\n    """Says."""\n    with record_function("a"):\n        a()\n`,
    ],
    [`${header}«x = 1»\r\n`.replaceAll('\n', '\r\n').replace('\r\r', '\r'), null],
  ])('%j', (source, expected) => {
    if (expected !== null) expect(wrapped(source)).toBe(expected);
    else expect(wrapped(source)).toBe(`${header.replace('\n', '\r\n')}with record_function("block"):\r\n    x = 1\r\n`);
  });

  it.each([
    ['«a()»\n', 'from torch.profiler import record_function\n\nwith record_function("a"):\n    a()\n'],
    [
      '#!/usr/bin/env python\n"""Doc."""\nfrom __future__ import annotations\nimport os, (\n  sys\n)\n«a()»\n'.replace(
        'os, (\n  sys\n)',
        'os',
      ),
      '#!/usr/bin/env python\n"""Doc."""\nfrom __future__ import annotations\nimport os\nfrom torch.profiler import record_function\nwith record_function("a"):\n    a()\n',
    ],
    [
      '"""Doc."""\n\n«a()»\n',
      '"""Doc."""\nfrom torch.profiler import record_function\n\nwith record_function("a"):\n    a()\n',
    ],
    [
      'import torch.profiler as p\n«a()»\n',
      'import torch.profiler as p\nfrom torch.profiler import record_function\nwith record_function("a"):\n    a()\n',
    ],
    [
      'from torch.autograd.profiler import record_function as rf\n«a()»\n',
      'from torch.autograd.profiler import record_function as rf\nwith rf("a"):\n    a()\n',
    ],
  ])('%j gets its import', (source, expected) => {
    expect(wrapped(source)).toBe(expected);
  });

  it.each([
    ['import torch\n«a()»\n', 'import torch\nwith torch.cuda.nvtx.range("a"):\n    a()\n'],
    ['from torch.cuda import nvtx\n«a()»\n', 'from torch.cuda import nvtx\nwith nvtx.range("a"):\n    a()\n'],
    ['«a()»\n', 'import torch\n\nwith torch.cuda.nvtx.range("a"):\n    a()\n'],
  ])('%j with NVTX', (source, expected) => {
    expect(wrapped(source, 'nvtx')).toBe(expected);
  });

  it.each([
    '«from __future__ import annotations»\nx = 1\n',
    '«\n\n»',
    '«x = (»\n',
    '"""«Doc.»"""\n',
    '«# only a comment»\n',
  ])('offers nothing for %j', source => {
    expect(wrapped(source)).toBeNull();
  });
});

describe('tagFunction(parsed, offset, kind)', () => {
  const tagged = (source: string) => edited(source, (parsed, from) => tagFunction(parsed, from, 'record_function'));

  it.each([
    [`${header}def |f(x):\n    return x\n`, `${header}@record_function("f")\ndef f(x):\n    return x\n`],
    [
      `${header}class A(B):\n    @staticmethod\n    |def f(x): return x\n`,
      `${header}class A(B):\n    @staticmethod\n    @record_function("A.f")\n    def f(x): return x\n`,
    ],
    [
      `${header}class Net(nn.Module):\n  def |forward(self, x):\n    return x\n`,
      `${header}class Net(nn.Module):\n  @record_function("Net")\n  def forward(self, x):\n    return x\n`,
    ],
    [
      `${header}async |def f(x):\n    """Doc."""\n    await x\n`,
      `${header}async def f(x):\n    """Doc."""\n    with record_function("f"):\n        await x\n`,
    ],
    [
      `${header}def |f(x):\n    return f(x - 1)\n`,
      `${header}def f(x):\n    with record_function("f"):\n        return f(x - 1)\n`,
    ],
    [`def |f(x): pass\n`, `from torch.profiler import record_function\n\n@record_function("f")\ndef f(x): pass\n`],
  ])('%j', (source, expected) => {
    expect(tagged(source)).toBe(expected);
  });

  it.each([
    `${header}@record_function("g")\ndef |f(x): pass\n`,
    `${header}def |f(x):\n    with record_function("g"):\n        pass\n`,
    `${header}def |f(x):\n    yield x\n`,
    `${header}def f(x):\n    |return x\n`,
    '|x = 1\n',
  ])('offers nothing for %j', source => {
    expect(tagged(source)).toBeNull();
  });
});

describe('removeTag(parsed, offset)', () => {
  const removed = (source: string) => edited(source, removeTag);

  it.each([
    [
      `${header}with |record_function("a"):\n    x = 1\n\n    # c\n    y = 2\nz = 3\n`,
      `${header}x = 1\n\n# c\ny = 2\nz = 3\n`,
    ],
    [
      `${header}def f():\n  |with record_function("a"):  # why\n    x = """a\n    b"""\n`,
      `${header}def f():\n  # why\n  x = """a\n    b"""\n`,
    ],
    [`${header}with |record_function("a"):\n    x = 1\n\f\n    y = 2\n`, `${header}x = 1\n\f\ny = 2\n`],
    [`${header}with |record_function("a"), b() as c:\n    x = c\n`, `${header}with b() as c:\n    x = c\n`],
    [`${header}with b() as c, |record_function("a") as d:\n    x = c\n`, `${header}with b() as c:\n    x = c\n`],
    [`${header}with |record_function("a"): x = 1\n`, `${header}x = 1\n`],
    [`${header}@other\n|@record_function("a")\ndef f(): pass\n`, `${header}@other\ndef f(): pass\n`],
  ])('%j', (source, expected) => {
    expect(removed(source)).toBe(expected);
  });

  it.each([
    `${header}with |record_function("a") as r:\n    print(r)\n`,
    `${header}with a:\n    |x = 1\n`,
    `${header}r = |record_function("a")\n`,
  ])('offers nothing for %j', source => {
    expect(removed(source)).toBeNull();
  });
});

it('tagEveryForward(parsed, kind) tags the forward of every class that has none, with one import', () => {
  const source =
    '|class A(B):\n  def forward(self):\n    pass\nclass C(B):\n  def forward(self):\n    pass\nclass D:\n  pass\n';
  const made = edited(source, parsed => tagEveryForward(parsed, 'record_function')) ?? '';
  expect(made.match(/record_function\('[AC]'\)|record_function\("[AC]"\)/g)).toHaveLength(2);
  expect(made.match(/import/g)).toHaveLength(1);
  expect(edited('|' + made, parsed => tagEveryForward(parsed, 'record_function'))).toBeNull();
  expect(edited('|x = 1\n', parsed => tagEveryForward(parsed, 'nvtx'))).toBeNull();
});

it('tagSubmodules(parsed, offset, kind) tags the class and all that it is made of, once', () => {
  const source = `import torch
class Norm(nn.Module):
    def forward(self, x): return x
class Block(nn.Module):
    def __init__(self):
        self.norm = Norm()
    @record_function("block")
    def forward(self, x): return self.norm(x)
class Unused(nn.Module):
    def forward(self, x): return x
class |Net(nn.Module):
    def __init__(self):
        self.blocks = nn.ModuleList(Block() for _ in range(3))
    def forward(self, x): return self.blocks(x)
`;
  const made = edited(source, (parsed, from) => tagSubmodules(parsed, from, 'record_function')) ?? '';
  expect(made.match(/.*record_function.*\n.*/g)).toEqual([
    'from torch.profiler import record_function\nclass Norm(nn.Module):',
    '    @record_function("Norm")\n    def forward(self, x): return x',
    '    @record_function("block")\n    def forward(self, x): return self.norm(x)',
    '    @record_function("Net")\n    def forward(self, x): return self.blocks(x)',
  ]);
  expect(edited('class |A(B):\n  pass\n', (parsed, from) => tagSubmodules(parsed, from, 'nvtx'))).toBeNull();
});
