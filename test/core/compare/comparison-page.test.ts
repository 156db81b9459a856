import {expect, it} from 'vitest';
import {comparisonPage} from '../../../src/core/compare/comparison-page.js';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import {runOf} from '../../support/compared-runs.js';
import {traceFromText} from '../../support/trace-from-text.js';

const base = traceFromText(`
    range <b>|x     ===
    call            A
    stream 7         AA
`);
const changed = traceFromText(`
    range <b>|x     ===
    call            A
    stream 7         AAA
`);

it('gives the verdict, the total, and a table for each kind that has rows', () => {
  const page = comparisonPage(compareRuns(runOf(base), runOf(changed)), ['base_run.json', 'changed.json']);
  expect(page).toMatch(/^# changed\\.json compared with base\\_run\\.json\n\n\*\*Comparable\\.\*\* GPU work/);
  expect(page).toContain('| \\<b\\>\\|x | 2.00 µs | 3.00 µs | +1.00 µs | +50.0 |');
  expect(page.match(/^## .*/gm)).toEqual(['## Ranges', '## Kernel classes', '## Kernels']);
});

it('gives the reasons of runs that are not comparable', () => {
  const gpu = (name: string) => runOf({...base, devices: [{id: 0, name}]});
  const page = comparisonPage(compareRuns(gpu('A100'), gpu('<img src=x>')), ['a', 'b']);
  expect(page).toContain('**Not comparable\\.**');
  expect(page).toContain('- The GPU models differ\\: A100 in the base\\, \\<img src\\=x\\> in the changed run\\.');
});

it('counts the rows that a table leaves out, with their change', () => {
  const many = (ns: number) => {
    const comparison = compareRuns(runOf(base), runOf(changed), ['range']);
    const [row] = comparison.rows;
    if (!row) throw new Error('There is a row.');
    return {...comparison, rows: Array.from({length: 30}, (_, at) => ({...row, path: `r${String(at)}`, deltaNs: ns}))};
  };
  expect(comparisonPage(many(10), ['a', 'b'])).toContain('5 more rows changed by +50 ns together.');
});
