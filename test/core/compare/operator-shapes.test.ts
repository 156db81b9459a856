import {describe, expect, it} from 'vitest';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import type {SelectedRun} from '../../../src/core/compare/run-comparison-input.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {expectToAddUp, rowAt, runOf} from '../../support/compared-runs.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const base = traceFromText(`
    op aten::mm      ==  ==
    call             A   B
    stream 7          AA  BBB
`);
const changed = traceFromText(`
    op aten::mm      ==  ==
    call             A   B
    stream 7          AA  B
`);

/** Gives the operators of a trace these shapes, in the order of the slices table. */
function shaped(trace: Trace, ...shapes: readonly string[]): SelectedRun {
  const rows = [...trace.slices.kind.keys()].filter(row => trace.slices.kind[row] === kindIndex.cpu_op);
  return {...runOf(trace), shapes: new Map(shapes.map((text, at) => [rows[at] ?? -1, text]))};
}

const [small, large, other, third] = ['[[2, 3], [3, 4]]', '[[8, 8], [8, 8]]', '[[9, 9], [9, 9]]', '[[7, 7], [7, 7]]'];

describe('operators with recorded shapes', () => {
  it('are matched by name and shapes: only the one of two shapes that changed has a difference', () => {
    const comparison = compareRuns(shaped(base, small, large), shaped(changed, small, large));
    expect(rowAt(comparison, 'op', `aten::mm ${small}`)).toMatchObject({deltaNs: 0, matchedBy: 'shapes'});
    expect(rowAt(comparison, 'op', `aten::mm ${large}`)).toMatchObject({deltaNs: -2000, matchedBy: 'shapes'});
    expectToAddUp(comparison);
  });

  it('are matched by place in the sequence if as many of one name have other shapes', () => {
    const comparison = compareRuns(shaped(base, small, large), shaped(changed, third, other));
    const rows = comparison.rows.filter(({kind}) => kind === 'op');
    expect(rows.map(({path, deltaNs, matchedBy}) => [path, deltaNs, matchedBy])).toEqual([
      ['aten::mm (other shapes, 2)', -2000, 'sequence'],
      ['aten::mm (other shapes, 1)', 0, 'sequence'],
    ]);
    expectToAddUp(comparison);
  });

  it('are matched by name alone if the numbers of other shapes differ', () => {
    const comparison = compareRuns(shaped(base, small, large), shaped(changed, other, other));
    expect(rowAt(comparison, 'op', 'aten::mm (other shapes)')).toMatchObject({
      ...{before: {gpuWorkNs: 5000, count: 2}, after: {gpuWorkNs: 3000, count: 2}, matchedBy: 'name'},
    });
    expectToAddUp(comparison);
  });

  it('are matched by name if one profile has no shapes, or both have none', () => {
    const without = compareRuns(runOf(base), runOf(changed));
    for (const run of [shaped(changed), runOf(changed)]) {
      expect(compareRuns(shaped(base, small, large), run).rows).toEqual(without.rows);
    }
    expect(rowAt(without, 'op', 'aten::mm')).toMatchObject({deltaNs: -2000, matchedBy: 'name'});
  });

  const pair = dataFiles('compare', '.json.gz');
  itEachFile(pair.slice(0, 1))('of $name and the other workers add up, by shapes', async () => {
    const runs = await Promise.all(
      pair.map(async ({path}) => {
        const trace = await openTrace(path);
        const {inputShapes = null} = await loadReportDetails(path, trace, new Set(['inputShapes']));
        return {...runOf(trace), shapes: inputShapes};
      }),
    );
    const [one, two] = runs;
    if (!one || !two) throw new Error('There are two profiles.');
    const comparison = compareRuns(one, two);
    expectToAddUp(comparison);
    const rows = comparison.rows.filter(({kind}) => kind === 'op');
    const convolutions = rows.filter(({path}) => path.startsWith('aten::cudnn_convolution'));
    expect(convolutions.length).toBeGreaterThan(10);
    expect(new Set(rows.map(({matchedBy}) => matchedBy))).toEqual(new Set(['shapes']));
    const back = compareRuns(two, one);
    const deltas = new Map(back.rows.map(row => [`${row.kind} ${row.path}`, row.deltaNs]));
    for (const {kind, path, deltaNs} of comparison.rows) expect(deltas.get(`${kind} ${path}`)).toBe(-deltaNs + 0);
  });
});
