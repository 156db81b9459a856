import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {calibrate} from '../../../src/core/roofline/calibrate.js';
import {reportInput} from '../../../src/core/figures/report-input.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {run} from '../../support/command-line.js';
import {expectWaitingByClock, glooCalls, type CallRow} from '../../support/cpu-ranks.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {project, temporaryFolder} from '../../support/project.js';

const fixtures = join(project, 'test', 'fixtures', 'gloo');
const files = [0, 1, 2].map(rank => join(fixtures, `ranks.rank${String(rank)}.pt.trace.json.gz`));

const rowsOf = (report: string, paths: readonly string[]) =>
  JSON.parse(run('stats', ...paths, '-r', report, '--format', 'json').stdout) as CallRow[];
const sum = (rows: readonly CallRow[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);

describe('three real ranks on the CPU, whose clocks are one', () => {
  const ranks = files.map(glooCalls);
  const traces = files.map((file, rank) => rowsOf('collective_trace', [file, ...files.filter((_, at) => at !== rank)]));

  it('tells each call with its time, and its bytes by the shapes of the script', () => {
    const operations = [...Array(4).keys()].flatMap(() => ['all_reduce', 'all_reduce', 'all_gather']);
    // Gradients of 64 × 64 weights and 64 biases; 4096 floats of each of three ranks.
    const bytes = operations.map((_, call) => [4 * 64 * 64, 4 * 64, 3 * 4 * 4096][call % 3]);
    for (const [rank, rows] of traces.entries()) {
      expect(rows.map(row => row['Operation'])).toEqual(operations);
      expect(rows.map(row => row['Duration (ns)'])).toEqual(ranks[rank]?.map(({durationNs}) => durationNs));
      expect(rows.map(row => row['Bytes'])).toEqual(bytes);
      expect(rows.every(row => row['Ranks'] === 3 && row['Kernels'] === 0 && row['Exposed (ns)'] === null)).toBe(true);
    }
  });

  it('finds who waited for whom, as the common clock has it', () => {
    expect(ranks.map(calls => calls.length)).toEqual([12, 12, 12]);
    expectWaitingByClock(ranks, traces);
  });

  it('has the rank that slept longest wait for nobody, and the one that slept least the longest', () => {
    // Each rank sleeps before an all-reduce, another one longest in each step; the first recorded one is not known.
    const asleep = [0, 1, 2, 3].map(step => {
      const waits = traces.map(rows => Number(rows[3 * step]?.['Wait (ns)']));
      expect(traces.map(rows => Number(rows[3 * step + 1]?.['Wait (ns)']) > 0)).toEqual(waits.map(wait => wait > 0));
      const longest = waits.indexOf(0);
      // The one that slept least is the next one, as the script has it.
      expect(waits.indexOf(Math.max(...waits))).toBe((longest + 1) % 3);
      return longest;
    });
    expect(asleep).toEqual([0, 1, 2, 3].map(step => ((asleep[0] ?? 0) + 2 * step) % 3));
  });

  it('has the same sums by operation and by rank', () => {
    const summary = rowsOf('collective_sum', files);
    expect(summary.map(row => [row['Operation'], row['Num Calls'], row['Ranks']])).toEqual([
      ['all_reduce', 8, 3],
      ['all_gather', 4, 3],
    ]);
    const byRank = rowsOf('rank_sum', files);
    expect(byRank.map(row => [row['Rank'], row['Device'], row['Collective Calls']])).toEqual([
      [0, null, 12],
      [1, null, 12],
      [2, null, 12],
    ]);
    expect(byRank.map(row => row['Wait (ns)'])).toEqual(traces.map(rows => sum(rows, 'Wait (ns)')));
    expect(sum(summary, 'Wait (ns)')).toBe(byRank[0]?.['Wait (ns)']);
  });

  it('says nothing of the links between GPUs', async () => {
    const [path = ''] = files;
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
    expect(calibrate(reportInput({trace, details, scope: wholeTrace})).measured).toEqual([]);
  });

  it('tells nothing of waiting where a rank is missing', () => {
    for (const paths of [files.slice(0, 1), files.slice(0, 2)]) {
      expect(rowsOf('collective_trace', paths).map(row => row['Wait (ns)'])).toEqual(Array(12).fill(null));
    }
  });
});

it('tells no size of a group, and no waiting, where the job has several groups', async () => {
  const path = join(temporaryFolder(), 'groups.json');
  const events = [kineto.range('gloo:all_reduce', 10, 20, 200)];
  const sized = async (...sizes: number[]) => {
    const groups = sizes.map((size, at) => ({pg_name: String(at), pg_size: size}));
    writeFileSync(
      path,
      kinetoText(events, {distributedInfo: {backend: 'gloo', rank: 0, world_size: 4, pg_config: groups}}),
    );
    const [row] = textRows(await reportOfFile(path, 'collective_sum'));
    return row;
  };
  expect(await sized(4)).toMatchObject({Ranks: '4', 'Total Time (ns)': '20000', Bytes: 'None'});
  expect(await sized(4, 2)).toMatchObject({Ranks: 'None', 'Wait (ns)': 'None'});
});
