import {expect, it} from 'vitest';
import {compareFlames} from '../../../src/core/compare/compare-flames.js';
import {comparisonHtml} from '../../../src/core/compare/comparison-html.js';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import {runOf} from '../../support/compared-runs.js';
import {traceFromText} from '../../support/trace-from-text.js';

const traceOf = (kernel: string) =>
  traceFromText(`
    range <script>alert(1)</script>|x     ===
    call            A
    stream 7         ${kernel}
`);
const comparison = compareRuns(runOf(traceOf('AA')), runOf(traceOf('AAA')));

it('is one page that loads and runs nothing, with names as text', () => {
  const page = comparisonHtml(comparison, ['"a"<b>', 'c&d'], ['Budget <i>']);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'">`);
  expect(page).toContain('color-scheme: light dark');
  expect(page).toContain('c&#38;d compared with');
  expect(page).toContain('<li>Budget &#60;i&#62;</li>');
  expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;|x');
  expect(page).not.toMatch(/<script|<i>|<b>|\b(?:src|href)=|\bon\w+=/);
});

it('has the flame graph of the change, as wide as the time after and before, with names as text', () => {
  const [base, changed] = [runOf(traceOf('AA')), runOf(traceOf('AAA'))];
  const flames = compareFlames(base, changed, {}, comparison.noise.betweenRuns, true);
  const page = comparisonHtml(comparison, ['a', 'b'], [], flames);
  expect(page.match(/<svg xmlns/g)).toHaveLength(2);
  expect(page).toContain('GPU work in all: 2.00 µs before, 3.00 µs after');
  expect(page).not.toMatch(/<script|\b(?:src|href)=|\bon\w+=/);
});

it('draws less work to the left of the middle and more to the right, the largest change over the half', () => {
  const [row] = comparison.rows;
  if (!row) throw new Error('There is a row.');
  const changes = [1000, -500].map((deltaNs, at) => ({
    ...{...row, path: `row ${String(at)}`, deltaNs},
    verdict: deltaNs > 0 ? ('slower' as const) : ('faster' as const),
  }));
  const page = comparisonHtml({...comparison, rows: changes}, ['a', 'b']);
  const bars = [...page.matchAll(/<svg class="(\w+)".*?<rect x="([\d.]+)" y="2" width="([\d.]+)"/g)];
  expect(bars.map(([, ...found]) => found)).toEqual([
    ['slower', '60.0', '60.0'],
    ['faster', '30.0', '30.0'],
  ]);
  expect(page.match(/<td class="(slower|faster)">\1<\/td>/g)).toHaveLength(2);
});
