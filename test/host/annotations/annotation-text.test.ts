import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {compiledRegions} from '../../../src/core/lines/compiled-regions.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {defaultLineTemplate} from '../../../src/core/text/line-timing.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project} from '../../support/project.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {annotationText} = await import('../../../src/host/annotations/annotation-text.js');

it('a tag that the compiler left out says so, with the figure of what was compiled', async () => {
  const trace = await openTrace(join(project, 'test', 'fixtures', 'compiled', 'train.pt.trace.json.gz'));
  const [timing] = lineTimings(trace, [[['inside']]]);
  const line = {timing, before: null, isStale: false, otherLines: 0};
  const text = (compiled: unknown) =>
    annotationText({...line, compiled} as never, {per: 'step', template: defaultLineTemplate}, 'mean');
  expect(text(null)).toBe('not in this profile');
  expect(text(compiledRegions(trace))).toBe(
    'inside compiled region · CPU 9.02 ms/step · 31.6 % of the step · ×1 · no GPU work in this profile',
  );
});

it('the line of a rank of the active job has the figure over the ranks, as the setting says', async () => {
  const trace = await openTrace(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));
  const [timing] = lineTimings(trace, [[['train_step']]]);
  const ranks = {
    ...{ranks: 4, per: 'step', meanNs: 2e6, minNs: 1e6, medianNs: 1.5e6, maxNs: 4e6},
    ...{fastestRank: 0, slowestRank: 3, slowerBy: 1.5},
  };
  const line = {timing, before: null, isStale: false, otherLines: 0, compiled: null, ranks};
  const text = (shown: 'mean' | 'slowest' | 'off') =>
    annotationText(line as never, {per: 'step', template: defaultLineTemplate}, shown);
  expect(text('mean')).toBe(`${text('off')} · mean of 4 ranks 2.00 ms/step · rank 3 is 150 % slower here`);
  expect(text('slowest')).toContain(' · slowest of 4 ranks 4.00 ms/step (rank 3)');
});
