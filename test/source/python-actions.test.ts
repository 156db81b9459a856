import {describe, expect, it} from 'vitest';
import {tagActions} from '../../src/source/python-actions.js';
import {tagNameAt} from '../../src/source/python-completion.js';
import {parsePython} from '../../src/source/python-tags.js';

const text = `import torch
from torch.profiler import record_function

class Net(Base):
    def forward(self, x):
        with record_function("hidden"):
            return self.inner(x)
`;

describe('tagActions(parsed, from, to, kind)', () => {
  const titles = (place: string, length = 0, kind: 'record_function' | 'nvtx' = 'record_function') => {
    const from = text.indexOf(place);
    return tagActions(parsePython(text), from, from + length, kind).map(({title}) => title);
  };

  it('offers what can be done where the selection is', () => {
    expect(titles('return self', 20)).toEqual(['Wrap selection in record_function("inner")']);
    expect(titles('return self', 20, 'nvtx')).toEqual(['Wrap selection in nvtx.range("inner")']);
    expect(titles('return self')).toEqual([]);
    expect(titles('with record')).toEqual(['Remove tag "hidden"']);
    expect(titles('forward')).toEqual([]);
    expect(titles('class')).toEqual([]);
  });

  it('offers to tag functions, and submodules on the line of a class', () => {
    const plain = parsePython('class Net(Base):\n    def forward(self, x): return x\n');
    expect(tagActions(plain, 3, 3, 'record_function').map(({title}) => title)).toEqual([
      "Tag every submodule's forward: Net",
    ]);
    expect(tagActions(plain, 25, 25, 'record_function').map(({title}) => title)).toEqual([
      'Tag this function: record_function("Net")',
    ]);
  });
});

describe('tagNameAt(parsed, offset)', () => {
  it.each([
    ['record_function("la|")', 'la'],
    ['record_function("|', ''],
    ["record_function('a|b')", 'ab'],
    ['record_function(name="a|")', 'a'],
    ['@torch.cuda.nvtx.range("a|")\ndef f(): pass', 'a'],
    ['torch.cuda.nvtx.range("a|")', 'a'],
    ['record_function("a", "b|")', null],
    ['record_function(f"a|")', null],
    ['record_function("""a|""")', null],
    ['record_function("a")|', null],
    ['print("a|")', null],
    ['x = "a|"', null],
  ])('in %s it is %j', (source, expected) => {
    const offset = source.indexOf('|');
    const without = source.replace('|', '');
    const place = tagNameAt(parsePython(without), offset);
    expect(place && without.slice(place.from, place.to)).toBe(expected);
  });
});
