import {describe, expect, it} from 'vitest';
import {compiledLines, compiledNames, mayCompile} from '../../../src/source/python/compiled.js';
import {parsePython} from '../../../src/source/python-tags.js';

describe('compiledNames(parsed)', () => {
  it.each<readonly [string, readonly string[]]>([
    ['import torch\n@torch.compile\ndef f(x):\n    pass', ['f']],
    ['import torch\n@torch.compile(mode="max-autotune")\ndef f(x):\n    pass', ['f']],
    ['from torch import compile as c\ng = c(f)', ['f']],
    ['import torch as t\n@t.compile()\n@other\nclass Net: pass', ['Net']],
    ['import torch\nmodel = Net(3)\nmodel = torch.compile(model)', ['Net']],
    ['import torch\nmodel = Net(3)\nfast = torch.compile(model, fullgraph=True)', ['Net']],
    ['import torch\nfast = torch.compile(models.Net(3).cuda())', ['Net']],
    ['import torch\nfast = torch.compile(models.Net(3))', ['Net']],
    ['import torch\nmodel = Net(3).to(device)\nif fast:\n    model = torch.compile(model)', ['Net']],
    ['import torch\ntorch.compile(model=step)', ['step']],
    ['import torch\nmodel = Net()\nmodel.compile()', ['Net']],
    ['import re\nword = re.compile("a")', []],
    ['compile("1", "", "eval")', []],
  ])('%j', (text, names) => {
    expect(compiledNames(parsePython(text))).toEqual(names);
  });
});

it.each([
  ['import torch\nf = torch.compile(g)', true],
  ['import torch as t\n@t.compile\ndef f(): pass', true],
  ['from torch import nn, compile as c', true],
  ['import re, torch\nword = re.compile("a")', false],
  ['model.compile()', false],
])('mayCompile(%j) is %j', (text, may) => {
  expect(mayCompile(text)).toBe(may);
});

it('compiledLines(parsed, names) has what is compiled, and what that uses', () => {
  const text = `def helper(x):
    return x

def other(x):
    return x

class Block:
    def forward(self, x):
        return helper(x)

class Net:
    def __init__(self):
        self.block = Block()

    def forward(self, x):
        return self.block(x)
`;
  const lines = (...names: string[]) =>
    compiledLines(parsePython(text), new Set(names)).map(({line, endLine}) => [line, endLine]);
  expect(lines('Net')).toEqual([
    [11, 16],
    [7, 9],
    [1, 2],
  ]);
  expect(lines('other', 'elsewhere')).toEqual([[4, 5]]);
});
