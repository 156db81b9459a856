import {describe, expect, it} from 'vitest';
import type {SourceLines, SourceWork} from '../../../src/core/queries/source-lines.js';
import {placesOfSourceLines} from '../../../src/core/source/source-line-places.js';

const work = (gpuWorkNs: number): SourceWork => ({
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
  modules: [{className: 'model.Mlp', modules: 4, ...work(40)}],
};

function places(text: string, modules = [{className: 'Mlp', line: 9, endLine: 10, offset: 0}]): string[] {
  const lines = text.split('\n');
  const file = {
    path: '/home/me/src/model.py',
    lineCount: lines.length,
    lineAt: (line: number) => lines[line - 1] ?? '',
    modules,
  };
  return placesOfSourceLines(file, source).map(
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
});
