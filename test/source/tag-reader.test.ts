import {describe, expect, it} from 'vitest';
import {createTagReader, languageOfId, languageOfPath, longestSource} from '../../src/source/tag-reader.js';
import {findPythonTags} from '../../src/source/python-tags.js';

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

describe('createTagReader(language)', () => {
  it('reads a text after each edit as if it were new', async () => {
    const reader = await createTagReader('python');
    const random = seeded(7);
    const pieces = ['with record_function("b"):\n    y = 2\n', 'x', '"', '\n', '    ', '# c\n', 'def f():\n', ')'];
    let text = 'from torch.profiler import record_function\nwith record_function("a"):\n    x = 1\n'.repeat(20);
    for (let edit = 0; edit < 200; edit++) {
      const at = Math.floor(random() * text.length);
      const removed = random() < 0.3 ? Math.floor(random() * 20) : 0;
      text = text.slice(0, at) + (pieces[Math.floor(random() * pieces.length)] ?? '') + text.slice(at + removed);
      expect(reader.tags(text)).toEqual(findPythonTags(text));
    }
  });

  it('finds the forward methods of classes with a base', async () => {
    const reader = await createTagReader('python');
    const text = `
class Mlp(nn.Module):
    def __init__(self): pass

    @torch.no_grad()
    def forward(self, x):
        def forward(y): return y
        return x

class Plain:
    def forward(self): pass

class Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x

class Outer(Base):
    class Inner(nn.Module):
        def forward(self, x): return x
`;
    expect(reader.modules(text)).toEqual([
      {className: 'Mlp', line: 6, endLine: 8, offset: text.indexOf('def forward(self, x):\n        def')},
      {className: 'Inner', line: 19, endLine: 19, offset: text.indexOf('def forward(self, x): return')},
    ]);
    expect(reader.tags(text)).toEqual([]);
  });

  it('finds nothing in a text that is too long for a source', async () => {
    const [python, cpp] = [await createTagReader('python'), await createTagReader('cpp')];
    const tagged = 'with record_function("a"): pass\nclass A(nn.Module):\n  def forward(self): pass\n';
    expect([python.tags(tagged).length, python.modules(tagged).length]).toEqual([1, 1]);
    const long = tagged + '#'.repeat(longestSource);
    expect([python.tags(long), python.modules(long)]).toEqual([[], []]);
    expect(cpp.tags(`void f() { nvtxRangePushA("a"); }//${'#'.repeat(longestSource)}`)).toEqual([]);
  });

  it('reads C++ and CUDA', async () => {
    const reader = await createTagReader('cpp');
    expect(reader.tags('void f() {\n  nvtxRangePushA("a");\n}')).toMatchObject([{line: 2, pattern: ['a']}]);
    expect(reader.modules('class A : public B { void forward(); };')).toEqual([]);
  });
});

it('languageOfPath(path) and languageOfId(id) know what is looked into', () => {
  expect(['a.py', 'b.CU', 'c.cuh', 'd.hpp', 'e.txt', 'py'].map(languageOfPath)).toEqual([
    'python',
    'cpp',
    'cpp',
    'cpp',
    null,
    null,
  ]);
  expect(['python', 'cuda-cpp', 'cpp', 'markdown'].map(languageOfId)).toEqual(['python', 'cpp', 'cpp', null]);
});
