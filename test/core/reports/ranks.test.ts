import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {rangeChoiceOf} from '../../../src/core/attribution/range-stack.js';
import {holdsOnEveryRank, otherRankSources} from '../../../src/core/figures/other-ranks.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';
import {textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
import {twoRanks} from '../../support/rank-files.js';
import {skewedRanks} from '../../support/skewed-ranks.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {dataFolder, hasData} from '../../support/real-data.js';

async function rankOf(path: string) {
  const trace = await openTrace(path);
  return {name: path, trace, details: await loadReportDetails(path, trace, new Set(['collectives']))};
}

async function reportOfRanks(name: string, paths: readonly string[]) {
  const [first, ...others] = await Promise.all(paths.map(rankOf));
  const request = parseReportRequest(name);
  if (!first || !request) throw new Error('No report.');
  const otherRanks = otherRankSources(first.trace, others, {});
  const [report] = makeReports([request], {...first, scope: wholeTrace, otherRanks});
  return report ? textRows(report) : [];
}

describe('reports of several ranks, each with a file of its own', () => {
  const folder = temporaryFolder();
  const files = twoRanks(folder);

  it('has a row for each rank, and who waited for whom', async () => {
    const rows = await reportOfRanks('rank_sum', files);
    expect(rows).toMatchObject([
      {Rank: '0', 'World Size': '2', 'Busy (ns)': '50000', 'Collective Calls': '1', 'Wait (ns)': '30000'},
      {Rank: '1', 'World Size': '2', 'Busy (ns)': '20000', 'Collective Calls': '1', 'Wait (ns)': '0'},
    ]);
    expect(await reportOfRanks('rank_sum', [files[1], files[0]])).toEqual(rows);
  });

  it('splits waiting from transfer in the calls of the first file', async () => {
    expect(await reportOfRanks('collective_sum', files)).toMatchObject([
      {'Num Calls': '1', 'Total Time (ns)': '50000', 'Wait (ns)': '30000', 'Transfer (ns)': '20000'},
    ]);
    expect(await reportOfRanks('collective_sum', [files[0]])).toMatchObject([{'Wait (ns)': 'None'}]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('finds what made ranks waited for each other, seed %d', async seed => {
    const {files: paths, waitNs, transferNs} = skewedRanks(folder, seed);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, ns) => total + ns, 0);
    for (const rank of waitNs.keys()) {
      // Whichever rank is asked about, and in whatever order the others come.
      const order = [...paths.slice(rank), ...paths.slice(0, rank)];
      const calls = await reportOfRanks('collective_trace', order);
      expect(calls.map(row => Number(row['Wait (ns)']))).toEqual(waitNs[rank]);
      expect(calls.map(row => Number(row['Transfer (ns)']))).toEqual(transferNs);
    }
    const byRank = await reportOfRanks('rank_sum', paths);
    expect(byRank.map(row => Number(row['Wait (ns)']))).toEqual(waitNs.map(sum));
    // Without one of them nobody can say who waited.
    const missing = await reportOfRanks('collective_trace', paths.slice(0, -1));
    expect(missing.map(row => row['Wait (ns)'])).toEqual(transferNs.map(() => 'None'));
  });

  it('refuses a file that is no other rank of the job', async () => {
    const [first, second] = [await rankOf(files[0]), await rankOf(files[1])];
    expect(() => otherRankSources(first.trace, [{...first, name: 'again.json'}], {})).toThrow(
      'again.json is not another rank of the same job: it is rank 0 of 2, the first file is rank 0 of 2.',
    );
    expect(() => otherRankSources(first.trace, [second, second], {})).toThrow('is not another rank of the same job');
  });

  it('looks for the range of a selection among what is chosen for ranges', () => {
    const [first, second] = [0, 1].map(rank => {
      const trace = traceFromText(`
        op aten::mm     ===
        call             A
        stream 7          AA
      `);
      return {name: '', details: noDetails, trace: {...trace, meta: {...trace.meta, rank, worldSize: 2}}};
    });
    if (!first || !second) throw new Error('No ranks.');
    const ofOperator = (kinds?: readonly SliceKind[]) =>
      otherRankSources(first.trace, [second], {range: 'aten::mm'}, kinds && rangeChoiceOf({kinds}));
    expect(ofOperator(['cpu_op']).map(({scope}) => scope.operations)).toEqual([Uint8Array.of(1)]);
    expect(() => ofOperator()).toThrow('No range of this profile is "aten::mm".');
  });

  it('knows what part of a profile means the same on every rank', () => {
    expect([{}, {step: 3}, {range: 'forward'}].map(holdsOnEveryRank)).toEqual([true, true, true]);
    expect([{fromNs: 0}, {toNs: 1}, {device: 0}, {stream: 7}, {track: 0}].some(holdsOnEveryRank)).toBe(false);
  });
});

describe.skipIf(!hasData)('rank_sum of real ranks', () => {
  it('has the figures of gpu_timeline for each of two ranks of 128, and no waiting where 126 are missing', async () => {
    const paths = [0, 1].map(rank => join(dataFolder, 'kineto', `ddp-rank-${String(rank)}-of-128.json.gz`));
    const rows = await reportOfRanks('rank_sum', paths);
    const timelines = await Promise.all(paths.map(path => reportOfRanks('gpu_timeline', [path])));
    expect(rows).toHaveLength(2);
    expect(rows).toMatchObject(timelines.flat());
    expect(rows.map(row => [row['Rank'], row['World Size'], row['Wait (ns)']])).toEqual([
      ['0', '128', 'None'],
      ['1', '128', 'None'],
    ]);
  });
});
