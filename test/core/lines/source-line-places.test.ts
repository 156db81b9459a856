import {describe, expect, it} from 'vitest';
import type {SourceLines, SourceWork} from '../../../src/core/lines/source-lines.js';
import type {ModuleSite} from '../../../src/core/source/sidecar.js';
import {likelyFile} from '../../../src/core/source/recorded-file.js';
import {placesOfSourceLines} from '../../../src/core/lines/source-line-places.js';

const work = (gpuWorkNs: number): SourceWork & {names: readonly string[]} => ({
  names: [],
  count: 1,
  cpuWallNs: 1,
  gpuWorkNs,
  backwardGpuWorkNs: 0,
  gpuSelfNs: 0,
  backwardGpuSelfNs: 0,
  operations: 1,
  launches: 1,
});

const source: SourceLines = {
  steps: 1,
  allGpuWorkNs: 100,
  lines: [
    {file: 'src/model.py', line: 2, functions: ['attend'], ...work(60)},
    {file: 'src/model.py', line: 6, functions: ['forward'], ...work(50)},
    {file: 'src/model.py', line: 9, functions: ['forward'], ...work(40)},
    {file: 'src/model.py', line: 12, functions: ['idle'], ...work(0)},
    {file: 'src/model.py', line: 14, functions: ['gone', '<lambda>'], ...work(10)},
    {file: 'src/other.py', line: 2, functions: ['attend'], ...work(5)},
  ],
  modules: [{className: 'Mlp', qualifiedName: 'model.Mlp', modules: 4, ...work(40)}],
};

interface Known {
  readonly all?: SourceLines;
  readonly sites?: readonly ModuleSite[];
  readonly lineNow?: ((line: number) => number | null) | null;
  readonly path?: string;
}

function places(
  text: string,
  modules = [{className: 'Mlp', line: 9, endLine: 10, offset: 0}],
  {all = source, sites = [], lineNow = null, path = '/home/me/src/model.py'}: Known = {},
): string[] {
  const lines = text.split('\n');
  const file = {
    frameFile: likelyFile(
      path,
      all.lines.map(line => line.file),
    ),
    moduleFile: likelyFile(
      path,
      sites.flatMap(site => site.file ?? []),
    ),
    lineCount: lines.length,
    lineAt: (line: number) => lines[line - 1] ?? '',
    modules,
    lineNow,
  };
  return placesOfSourceLines(file, all, sites).map(
    ({line, about, work: {gpuWorkNs}}) => `${String(line)} ${about} ${String(gpuWorkNs)}`,
  );
}

const text = `import torch
@decorated
def attend(q): ...

class Block:
    async def forward(self): ...

class Mlp:
    def forward(self):
        return 1

def idle(): ...
`;

describe('placesOfSourceLines(file, lines)', () => {
  it('puts work on the definitions of functions, and of modules on their forward', () => {
    expect(places(text)).toEqual(['3 the function attend 60', '6 the function forward 50', '9 4 modules Mlp 40']);
  });

  it('finds functions that have moved', () => {
    expect(places(`# more\n\n${text}`, [{className: 'Mlp', line: 11, endLine: 12, offset: 0}])).toEqual([
      '5 the function attend 60',
      '8 the function forward 50',
      '11 4 modules Mlp 40',
    ]);
  });

  it('leaves out what is not there any more', () => {
    expect(places('def attend(): ...', [])).toEqual(['1 the function attend 60']);
    expect(places('attend = 1', [])).toEqual([]);
  });

  describe('with methods of one name', () => {
    const methods = (names: readonly string[]) =>
      names.map(name => `class ${name}:\n    def run(self):\n        pass\n`);
    const frame = (line: number, ns: number) => ({file: 'src/model.py', line, functions: ['run'], ...work(ns)});
    const three: SourceLines = {...source, modules: [], lines: [frame(2, 30), frame(6, 20), frame(10, 10)]};
    const now = methods(['A', 'B', 'C']).join('\n');

    it('puts each where it stood', () => {
      expect(places(now, [], {all: three})).toEqual([
        '2 the function run 30',
        '6 the function run 20',
        '10 the function run 10',
      ]);
      const lastTwo = {...three, lines: three.lines.slice(1)};
      expect(places(now, [], {all: lastTwo})).toEqual(['6 the function run 20', '10 the function run 10']);
    });

    it('keeps their order where the text has moved', () => {
      expect(places(`#\n#\n#\n${now}`, [], {all: three})).toEqual([
        '5 the function run 30',
        '9 the function run 20',
        '13 the function run 10',
      ]);
    });

    it('gives none figures where nothing tells which of them ran', () => {
      const lastTwo = {...three, lines: three.lines.slice(1)};
      expect(places(`#\n#\n#\n${now}`, [], {all: lastTwo})).toEqual([]);
    });

    it('follows lines where the file is known as it was', () => {
      const lastTwo = {...three, lines: three.lines.slice(1)};
      const lineNow = (line: number) => (line === 6 ? null : line + 3);
      expect(places(`#\n#\n#\n${now}`, [], {all: lastTwo, lineNow})).toEqual(['13 the function run 10']);
      const renamed = now.replace('def run', 'def first');
      expect(places(renamed, [], {all: three, lineNow: line => line})).toEqual([
        '6 the function run 20',
        '10 the function run 10',
      ]);
    });
  });

  describe('with what the runner saw of modules', () => {
    const block = (qualifiedName: string, ns: number) => {
      return {className: qualifiedName.split('.').at(-1) ?? '', qualifiedName, modules: 1, ...work(ns)};
    };
    const forwards = [{className: 'Block', line: 2, endLine: 3, offset: 0}];
    const text = 'class Block:\n    def forward(self):\n        pass\n';
    const site = (file: string, of: string, line: number) => ({name: of, class: of, file, line});

    it('tells classes of one name in several files apart', () => {
      const all = {...source, lines: [], modules: [block('encoder.Block', 700), block('decoder.Block', 300)]};
      const sites = [site('src/encoder.py', 'encoder.Block', 2), site('src/decoder.py', 'decoder.Block', 2)];
      const at = (path: string) => places(text, forwards, {all, sites, path});
      expect(at('/home/me/src/encoder.py')).toEqual(['2 the module Block 700']);
      expect(at('/home/me/src/decoder.py')).toEqual(['2 the module Block 300']);
      expect(at('/home/me/src/other.py')).toEqual([]);
    });

    it('leaves out a library’s class of the same name', () => {
      const all = {...source, lines: [], modules: [block('torch.nn.modules.Block', 700)]};
      const sites = [{name: 'a', class: 'torch.nn.modules.Block'}];
      expect(places(text, forwards, {all, sites})).toEqual([]);
    });

    it('puts classes that inherit a forward on it, and names the others', () => {
      const all = {...source, lines: [], modules: [block('m.Wide', 60), block('m.Deep', 50)]};
      const sites = [site('src/model.py', 'm.Wide', 2), site('src/model.py', 'm.Deep', 2)];
      expect(places(text, forwards, {all, sites})).toEqual([
        '2 the module Wide (not of Deep, which have the same forward) 60',
      ]);
      const moved = {all, sites, lineNow: (line: number) => line + 4};
      expect(
        places(`#\n#\n#\n#\n${text}`, [{...forwards[0], className: 'Block', line: 6, endLine: 7, offset: 8}], moved),
      ).toEqual(['6 the module Wide (not of Deep, which have the same forward) 60']);
    });
  });
});
