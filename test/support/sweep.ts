import {parseSweepConfig} from '../../src/core/benchmark/parse-config.js';
import type {PointResult} from '../../src/core/benchmark/point-result.js';
import {sweepPoints, type SweepPoint} from '../../src/core/benchmark/sweep-points.js';
import type {SweepLine} from '../../src/core/benchmark/sweep-record.js';

/** The members of a result that a test sets; the others are filled in. */
type Given = Partial<SweepPoint> & {readonly result: Partial<PointResult>};

/** Returns a result with the given members, and figures for the others. */
export function pointResult({result, ...given}: Given): PointResult {
  const [point] = sweepPoints(parseSweepConfig({}, ''));
  if (!point) throw new Error('A sweep has a point.');
  return {
    point: {...point, ...given},
    warmupNs: [5e6],
    stepNs: [],
    phaseNs: {},
    error: null,
    message: null,
    device: 'cpu',
    parameters: 100,
    parametersWithoutEmbedding: 60,
    samples: 4,
    tokens: 512,
    memory: {peakBytes: 1e9, reservedBytes: null, counts: 'resident'},
    sleptNs: 0,
    environment: {torch: '2.13.0', gpu: {name: 'None'}},
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.000Z',
    ...result,
  };
}

/** Returns the lines of a sweep with these results. */
export function sweepLines(results: readonly PointResult[]): SweepLine[] {
  const startedAt = '2026-01-01T00:00:00.000Z';
  return [
    {kind: 'sweep', id: 'abc', name: 'sweep', startedAt, points: results.length, config: {}},
    ...results.map((result, index) => ({kind: 'result' as const, index, result})),
  ];
}
