import {join} from 'node:path';
import {expect, it} from 'vitest';
import {compiledRegions} from '../../../src/core/lines/compiled-regions.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {defaultLineTemplate} from '../../../src/core/text/line-timing.js';
import {annotationText} from '../../../src/host/annotations/annotation-text.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project} from '../../support/project.js';

it('a tag that the compiler left out says so, with the figure of what was compiled', async () => {
  const trace = await openTrace(join(project, 'test', 'fixtures', 'compiled', 'train.pt.trace.json.gz'));
  const [timing] = lineTimings(trace, [[['inside']]]);
  const line = {timing, before: null, isStale: false, otherLines: 0};
  const text = (compiled: unknown) =>
    annotationText({...line, compiled} as never, {per: 'step', template: defaultLineTemplate});
  expect(text(null)).toBe('not in this profile');
  expect(text(compiledRegions(trace))).toBe(
    'inside compiled region · CPU 9.02 ms/step · 31.6 % of the step · ×1 · no GPU work in this profile',
  );
});
