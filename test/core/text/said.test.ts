import {afterAll, beforeAll, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import type {LineTiming} from '../../../src/core/lines/line-timings.js';
import type {TimingScope} from '../../../src/core/scope/timing-scope.js';
import {lineComparison} from '../../../src/core/text/line-comparison.js';
import {lineHover} from '../../../src/core/text/line-hover.js';
import {lineTimingText, lineTimingTooltip} from '../../../src/core/text/line-timing.js';
import {outsideOfWords, pseudoWords} from '../../support/translations.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
range step_1      =========
range step_2               =========
range la_0         ====     ====
range la_1             ==
call            A  B  C     D
stream 7         AA  BBCC    DDDDD
`);
const withoutGpu = traceFromText(`
range step_1      =========
range step_2               =========
range la_0         ====     ====
`);
const scopes: readonly TimingScope[] = ['steps', 'profile', {fromNs: 0, toNs: 9000}];
const style = {per: 'step', template: '{work} · {names}'} as const;

beforeAll(() => {
  setWords(pseudoWords);
});
afterAll(() => {
  setWords(undefined);
});

/** Without the names of the traces, and units of figures. */
const withoutNames = (text: string) => text.replace(/kernel\\?_[A-D]|la\\?_\d|step\\?_\d|\/(?:step|call)\b/g, '');

it.each([
  {what: 'a profile of a GPU', of: trace},
  {what: 'a profile without GPU work', of: withoutGpu},
])('hovers and comparisons of lines are said in the editor’s language: $what', ({of}) => {
  const all = scopes.map(scope => lineDetails(of, [['la_', '']], scope));
  const one = lineDetails(of, [['la_0']], 'steps');
  const none = lineDetails(of, [['other']], 'steps');
  const texts = [
    ...[...all, one].flatMap(details => (['step', 'call'] as const).map(per => lineHover(details, per, one.timing))),
    ...[one, none].flatMap(before => [...all, one].map(now => lineComparison(now, before))),
  ];
  expect(outsideOfWords(texts.map(withoutNames))).toEqual([]);
});

it('what stands above lines is said in the editor’s language', () => {
  const timings: LineTiming[] = [trace, withoutGpu].flatMap(of =>
    [['la_0'], ['la_', ''], ['other']].flatMap(pattern =>
      scopes.map(scope => lineDetails(of, [pattern as [string]], scope).timing),
    ),
  );
  const texts = timings.flatMap(timing => [lineTimingText(timing, style), lineTimingTooltip(timing)]);
  expect(outsideOfWords(texts.map(withoutNames))).toEqual([]);
});
