import {describe, expect, it} from 'vitest';
import type {Tree} from '@lezer/common';
import {cppTagActions} from '../../src/source/cpp-actions.js';
import {findCppTags, parseCpp} from '../../src/source/cpp-tags.js';

const head = '#include <vector>\n#include <nvtx3/nvtx3.hpp>\n';

/** The text after the first action at the selection "«…»" whose title begins so; null where none does. */
function after(marked: string, title: string, isC = false): string | null {
  const from = marked.indexOf('«');
  const to = marked.indexOf('»') - 1;
  const text = marked.replace(/[«»]/g, '');
  const action = cppTagActions(parseCpp(text), from, to, isC).find(one => one.title.startsWith(title));
  if (!action) return null;
  let changed = text;
  for (const {from: start, to: end, text: put} of [...action.edit.replacements].sort((a, b) => b.from - a.from))
    changed = changed.slice(0, start) + put + changed.slice(end);
  expect(errorsIn(parseCpp(changed).tree)).toBe(errorsIn(parseCpp(text).tree));
  return changed;
}

function errorsIn(tree: Tree): number {
  let errors = 0;
  tree.iterate({enter: ({type}) => void (errors += type.isError ? 1 : 0)});
  return errors;
}

describe('Wrap selection', () => {
  it('puts whole statements between a push and a pop, with the include', () => {
    const text = '#include <vector>\nvoid f() {\n  int a = 1;\n  «forward(a);\n  g»();  // last\n  h();\n}\n';
    const wrapped = after(text, 'Wrap selection in NVTX range "forward"');
    expect(wrapped).toBe(
      '#include <vector>\n#include <nvtx3/nvToolsExt.h>\nvoid f() {\n  int a = 1;\n  nvtxRangePushA("forward");\n  forward(a);\n  g();  // last\n  nvtxRangePop();\n  h();\n}\n',
    );
    expect(findCppTags(wrapped ?? '')).toMatchObject([{pattern: ['forward'], line: 5, endLine: 8}]);
  });

  it('of what leaves the block takes an object, to the block’s end', () => {
    const text = `${head}int f() {\n  int a = g();\n  «if (a) return 1;\n  return 2;»\n}\n`;
    expect(after(text, 'Wrap')).toContain('  nvtx3::scoped_range range{"f"};\n  if (a) return 1;\n');
    expect(after(text, 'Wrap', true)).toBeNull();
    expect(after(`${head}int f() {\n  «if (g()) return 1;»\n  return 2;\n}\n`, 'Wrap')).toBeNull();
  });

  it('takes launches of kernels, and no code of theirs', () => {
    expect(after(`${head}void f() {\n  «step<<<1, 2>>>(x);\n  sync();»\n}\n`, 'Wrap')).toContain('nvtxRangePop();\n}');
    expect(after(`${head}__global__ void k() {\n  «g();»\n}\n`, 'Wrap')).toBeNull();
    expect(after(`${head}void f() { «g();» }\n`, 'Wrap')).toBeNull();
    expect(after(`«int a = 1;»\n`, 'Wrap')).toBeNull();
  });
});

describe('Tag this function', () => {
  it('opens a range of its name at its beginning, once', () => {
    const tagged = after(
      'void Net::forw«»ard(int a) {\n    g(a);\n}\n',
      'Tag this function: NVTX3_FUNC_RANGE (forward)',
    );
    expect(tagged).toBe(
      '#include <nvtx3/nvtx3.hpp>\nvoid Net::forward(int a) {\n    NVTX3_FUNC_RANGE();\n    g(a);\n}\n',
    );
    expect(findCppTags(tagged ?? '')).toMatchObject([{api: 'NVTX3_FUNC_RANGE', pattern: ['forward']}]);
    expect(after((tagged ?? '').replace('forward', 'for«»ward'), 'Tag')).toBeNull();
    expect(after(`${head}int «»f() { return 1; }\n`, 'Tag')).toContain('{ NVTX3_FUNC_RANGE(); return 1; }');
  });

  it('is not offered in C, in bodies and for what runs on the GPU', () => {
    expect(after('void «»f() {\n  g();\n}\n', 'Tag', true)).toBeNull();
    expect(after('void f() {\n  «»g();\n}\n', 'Tag')).toBeNull();
    expect(after('__global__ void «»f() {\n  g();\n}\n', 'Tag')).toBeNull();
  });
});

describe('Remove tag', () => {
  it('takes back what the others wrote', () => {
    const text = `${head}void f() {\n  g();\n  h();\n}\n`;
    const wrapped = after(text.replace('g();', '«g();»'), 'Wrap') ?? '';
    expect(after(wrapped.replace('nvtxRangePushA', '«»nvtxRangePushA'), 'Remove tag "g"')).toBe(text);
    const tagged = after(text.replace('f()', '«»f()'), 'Tag') ?? '';
    expect(after(tagged.replace('NVTX3_FUNC', '«»NVTX3_FUNC'), 'Remove')).toBe(text);
    expect(after(text.replace('  h', '  «»nvtx3::scoped_range r{"a"};\n  h'), 'Remove tag "a"')).toBe(text);
  });

  it('is not offered where several pops close a push, or more stands on the line', () => {
    const push = '  «»nvtxRangePushA("a");\n';
    const pops = 'if (x) {\n    nvtxRangePop();\n    return;\n  }\n  nvtxRangePop();\n';
    expect(after(`${head}void f() {\n${push}  ${pops}}\n`, 'Remove')).toBeNull();
    expect(after(`${head}void f() {\n  «»nvtxRangePushA("a"); g();\n  nvtxRangePop();\n}\n`, 'Remove')).toBeNull();
    const nested = `${push}  nvtxRangePushA("b");\n  nvtxRangePop();\n  nvtxRangePop();\n`;
    expect(after(`${head}void f() {\n${nested}}\n`, 'Remove tag "a"')).toBe(
      `${head}void f() {\n  nvtxRangePushA("b");\n  nvtxRangePop();\n}\n`,
    );
  });
});
