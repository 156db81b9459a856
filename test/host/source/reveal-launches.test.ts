import {expect, it, vi} from 'vitest';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {createRevealLaunches} = await import('../../../src/host/source/reveal-launches.js');

it('names of a profile are no icons in the list of lines, and fit into it', async () => {
  const paths = {find: (path: string) => Promise.resolve(`/w/${path}`)};
  const reveal = createRevealLaunches({whenRead: () => Promise.resolve(new SourceIndex())} as never, paths as never);
  const source = (name: string) => ({operator: null, operatorSlice: -1, names: [name], instances: 1, gpuWorkNs: 2000});
  let shown: readonly unknown[] = [];
  window.picks = items => ((shown = items), undefined);
  const names = ['a.py(1): $(error) f', `b.py(2): ${'x'.repeat(3000)}`];
  expect(await reveal({name: 'gemm', noun: 'kernel'}, names.map(source), null)).toBe(true);
  expect(shown).toEqual([
    expect.objectContaining({label: '/w/a.py:1', description: 'a.py(1): $\u200b(error) f: 2.00 µs, 1 kernel'}),
    expect.objectContaining({description: expect.stringMatching(/^b\.py\(2\): x{150}…: /) as string}),
  ]);
});
