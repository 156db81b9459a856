import {describe, expect, it} from 'vitest';
import {speedscopeFile} from '../../../src/core/flame/flame-export.js';
import {flameModes, flameWeights, type FlameQuery} from '../../../src/core/flame/flame-graph.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {randomTrace} from '../../support/random-trace.js';
import {speedscopeFaults} from '../../support/speedscope-schema.js';
import {traceFromText} from '../../support/trace-from-text.js';

interface File {
  readonly shared: {readonly frames: readonly unknown[]};
  readonly profiles: readonly {
    readonly endValue: number;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
  }[];
}

const queries: FlameQuery[] = flameWeights.flatMap(weight =>
  flameModes.flatMap(mode => [false, true].map(isFolded => ({weight, mode, isFolded}))),
);

/** A file is valid by the schema, its samples stand for frames that there are, and close at the end that it names. */
function expectSound(trace: Trace, query: FlameQuery): void {
  const graph = flameGraph(trace, query);
  const text = speedscopeFile(graph, 'x.json');
  expect(speedscopeFaults(text)).toEqual([]);
  const {shared, profiles} = JSON.parse(text) as File;
  for (const {samples, weights, endValue} of profiles) {
    expect(weights).toHaveLength(samples.length);
    expect(samples.flat().filter(frame => !(frame in shared.frames))).toEqual([]);
    expect(weights.every(weight => weight > 0)).toBe(true);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(endValue);
    expect(endValue).toBe(graph.total);
  }
}

describe('speedscopeFile(graph, name) by the schema of speedscope', () => {
  it.each(queries)('is valid for $weight, $mode, folded $isFolded', query => {
    for (let seed = 0; seed < 5; seed++) expectSound(randomTrace(seed), query);
  });

  it('is valid for each thread, stream and step of a trace', () => {
    const trace = randomTrace(1);
    const threads = trace.tracks.flatMap(({kind}, track) => (kind === 'thread' ? [track] : []));
    expect(threads.length).toBeGreaterThan(3);
    for (const track of threads) {
      for (const mode of flameModes) expectSound(trace, {weight: 'gpu-work', mode, selection: {track}});
      expectSound(trace, {weight: 'cpu', mode: 'time', selection: {track}});
    }
  });

  it('is valid where nothing ran, and for names that are no text', () => {
    expectSound(traceFromText('range nothing   '), {weight: 'gpu-work'});
    expectSound(traceFromText('range \ud800\u0001&"\'   ====='), {weight: 'cpu'});
  });

  itEachFile(dataFiles('kineto', '.gz'))('is valid for $name', async ({path}) => {
    const trace = await openTrace(path);
    for (const query of queries) expectSound(trace, query);
  });

  it('would be seen to break it', () => {
    const text = speedscopeFile(flameGraph(randomTrace(0), {weight: 'cpu'}), 'x.json');
    expect(speedscopeFaults(text.replace('"unit":"nanoseconds"', '"unit":"hours"'))).toContain(
      '/profiles/0/unit must be equal to one of the allowed values',
    );
    expect(speedscopeFaults(text.replace('"weights"', '"widths"')).join()).toContain('weights');
  });
});
