import {expect, it} from 'vitest';
import {lineComparison} from '../../../src/core/text/line-comparison.js';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import {traceFromText} from '../../support/trace-from-text.js';

const before = traceFromText(`
range step_1      =========
range step_2               =========
range la|er        ====     ====
call            A  B        D
stream 7         AA  BBBB    DDDD
`);
const now = traceFromText(`
range step_1      =========
range step_2               =========
range la|er        ====     ====
call            A  B  C     D
stream 7         AA  BBCC    DD
`);
const details = (trace: typeof now, name = 'la|er') => lineDetails(trace, [[name]], 'steps');

it('lineComparison(now, before) has the figures of both runs by step, and the noise of the first', () => {
  // 4 and 4 µs before; 4 and 2 µs now: mean 3, deviation √2, so 12.706 × √(2 ÷ 2) ÷ 4 with one degree of freedom.
  expect(lineComparison(details(now), details(before))).toBe(`# la\\|er

| per step | run before | this run | Δ |
| :-- | --: | --: | --: |
| GPU work | 4.00 µs | 3.00 µs | ▼ -25 % (±318) |
| forward | 4.00 µs | 3.00 µs | -25.0 % |
| GPU busy, forward | 4.00 µs | 3.00 µs | -25.0 % |
| GPU span, forward | 4.00 µs | 3.00 µs | -25.0 % |
| operations | 1 | 1.5 | +50.0 % |
| launches | 1 | 1.5 | +50.0 % |
| CPU wall | 4.00 µs | 4.00 µs | 0.0 % |
| instances | 1 | 1 | 0.0 % |

| kernel, GPU work per step | run before | this run | Δ |
| :-- | --: | --: | --: |
| kernel\\_B | 2.00 µs | 1.00 µs | -50.0 % |
| kernel\\_D | 2.00 µs | 1.00 µs | -50.0 % |
| kernel\\_C | – | 1.00 µs |  |`);
});

it('says that the run before has no such range', () => {
  const text = lineComparison(details(now), details(before, 'other'));
  expect(text).toContain('The run before has no range of this name.');
  expect(text).toContain('| GPU work | – | 3.00 µs |  |');
});

it('of a line with several ranges tells each', () => {
  const of = (text: string) => lineDetails(traceFromText(text), [['layer_', '']], 'steps');
  const text = lineComparison(
    of(`
range step_1      =========
range step_2               =========
range layer_0     ===      ===
range layer_1        ===
call              A  B     C
stream 7          AA BB    CC
`),
    of(`
range step_1      =========
range step_2               =========
range layer_0     ===      ===
call              A        C
stream 7          AAAA     CCCC
`),
  );
  expect(text).toContain('# layer\\_0, layer\\_1\n');
  expect(text).toContain('| layer\\_0 | 4.00 µs | 2.00 µs | -50.0 % |\n| layer\\_1 | – | 1.00 µs |  |');
});
