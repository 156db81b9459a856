// @vitest-environment jsdom
import {describe, expect, it} from 'vitest';
import {canProfile, measurementOf} from '../../src/core/benchmark/measurement.js';
import type {SweepPoint} from '../../src/core/benchmark/sweep-points.js';
import type {BenchmarkHostRequests, BenchmarkViewRequests} from '../../src/protocol/benchmark-messages.js';
import {curveAxes, curveFacets} from '../../webview/benchmark/curve-series.js';
import {measurementName, stripsOf} from '../../webview/benchmark/measurement-text.js';
import {layoutsOf} from '../../webview/benchmark/layouts.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {pointResult} from '../support/sweep.js';

completePage();
// It needs the page when it is read.
const {BenchmarkView} = await import('../../webview/benchmark/benchmark-view.js');

const measurements = (['forward', 'train'] as const).flatMap((pass, at) =>
  [256, 128].flatMap((contextLength, column) =>
    (['fp32', 'bf16'] as const).map((precision, row) =>
      measurementOf(
        8 * at + 2 * column + row,
        pointResult({
          pass,
          contextLength,
          precision,
          result: precision === 'bf16' && contextLength === 256 ? {error: 'oom'} : {stepNs: [2e6, 3e6, 4e6]},
        }),
      ),
    ),
  ),
);

describe('curveFacets(measurements, axis)', () => {
  it('has a picture per pass, a curve for what else differs, and its points in the order of the axis', () => {
    expect(curveAxes(measurements)).toEqual(['contextLength']);
    const facets = curveFacets(measurements, 'contextLength');
    expect(facets.map(({pass, curves}) => [pass, curves.map(({label}) => label)])).toEqual([
      ['forward', ['fp32', 'bf16']],
      ['train', ['fp32', 'bf16']],
    ]);
    expect(facets[0]?.curves[0]?.points).toEqual([
      {x: 128, id: 2, meanNs: 3e6, stdNs: 1e6, problem: null},
      {x: 256, id: 0, meanNs: 3e6, stdNs: 1e6, problem: null},
    ]);
  });

  it('keeps a point that has no figure, with what happened to it', () => {
    const bf16 = curveFacets(measurements, 'contextLength')[0]?.curves[1];
    expect(bf16?.points[1]).toMatchObject({x: 256, meanNs: null, problem: 'out of memory'});
  });
});

it('canProfile(measurement) is true of functions as of the reference model, and not of commands', () => {
  const of = (given: Partial<SweepPoint>) => canProfile(measurementOf(0, pointResult({...given, result: {}})));
  expect(of({})).toBe(true);
  expect(of({target: 'callable', pass: null})).toBe(true);
  expect(of({target: 'command', pass: null})).toBe(false);
  expect(canProfile({...measurementOf(0, pointResult({result: {}})), target: null})).toBe(false);
});

it('layoutsOf(measurements) has the tables that say something', () => {
  expect(layoutsOf(measurements).map(({id}) => id)).toEqual(['times', 'precision', 'points']);
  expect(layoutsOf(measurements.slice(0, 1)).map(({id}) => id)).toEqual(['times', 'points']);
});

it('stripsOf(measurement) puts the measured steps beside all of them', () => {
  const measurement = measurementOf(0, pointResult({result: {warmupNs: [9], stepNs: [1, 2]}}));
  expect(stripsOf(measurement)).toEqual([
    {title: 'Measured steps:', warmupNs: [], stepNs: [1, 2]},
    {title: 'With warm-up:', warmupNs: [9], stepNs: [1, 2]},
  ]);
  expect(stripsOf(measurementOf(0, pointResult({result: {warmupNs: [], error: 'oom'}})))).toEqual([]);
});

it('measurementName(measurement) says what tells a point from others', () => {
  const measurement = measurementOf(
    0,
    pointResult({contextLength: 128, batch: 4, pass: 'train', precision: 'bf16', result: {}}),
  );
  expect(measurementName(measurement)).toBe('small, context 128, batch 4, cpu, bf16, Train step');
});

it('BenchmarkView does not show the precision map or environment of a point under that of another sweep', async () => {
  const host = new TestHost<BenchmarkHostRequests, BenchmarkViewRequests>({'view/ready': () => undefined});
  new BenchmarkView(host.host, document.body).start();
  const point = [measurementOf(0, pointResult({result: {stepNs: [2e6, 3e6, 4e6]}}))];
  const select = async (key: string) => {
    const sets = [{title: key, note: null, measurements: point}];
    const sweep = {key, kind: 'sweep', sources: [], sets, profiled: [], canGoOn: false, progress: null} as const;
    await host.tell('benchmark/content', sweep);
    document.querySelector<HTMLElement>('.body .figure')?.click();
    await settle();
  };
  const show = () =>
    [...document.querySelectorAll<HTMLElement>('vscode-button')]
      .find(one => one.textContent === 'Precision map')
      ?.click();
  const none = {parameters: [], inputs: [], outputs: [], gradients: [], casts: []};
  const rowsOf = (name: string) => [{name, kind: 'Linear', count: 1, ...none}];
  const shown = () => document.querySelector('.point')?.textContent;

  await select('first');
  show();
  await select('second');
  host.asked('benchmark/precision')[0]?.answer(rowsOf('layer of the first'));
  host.asked('benchmark/environment')[0]?.answer([['torch', 'of the first']]);
  await settle();
  expect(shown()).toContain('3.00 ms');
  expect(shown()).not.toContain('of the first');
  show();
  host.asked('benchmark/precision')[1]?.answer(rowsOf('layer of the second'));
  host.asked('benchmark/environment')[1]?.answer([['torch', 'environment of the second']]);
  await settle();
  expect(shown()).toContain('layer of the second');
  expect(shown()).toContain('environment of the second');
});
