import {describe, expect, it} from 'vitest';
import {launchSources} from '../../../src/core/questions/launch-sources.js';
import {namesThat} from '../../../src/core/trace/names-that.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

describe('launchSources(trace, isWanted, selection)', async () => {
  const launched = (id: number, atUs: number, durationUs: number) => [
    kineto.call(id, atUs, 1),
    kineto.kernel(id, 1000 + 10 * id, durationUs),
  ];
  const trace = await traceOfEvents([
    kineto.range('step', 0, 500),
    kineto.range('mlp', 10, 100),
    kineto.python('model.py(7): forward', 15, 80),
    kineto.op('aten::mm', 20, 50),
    ...launched(1, 30, 5),
    ...launched(2, 40, 6),
    kineto.range('attention', 200, 100),
    ...launched(3, 210, 20),
    {...launched(4, 220, 400)[0]},
    {...launched(4, 220, 400)[1], name: 'another'},
    // Behind every range, and of no call.
    ...launched(5, 600, 7),
    kineto.kernel(77, 2000, 8),
  ]);

  const called = (name: string) => namesThat(trace, text => text === name);

  it('tells the operator and the names around the launches from the inside out, most GPU work first', () => {
    expect(launchSources(trace, called('gemm'))).toEqual([
      {operator: null, operatorSlice: -1, names: ['attention', 'step'], instances: 1, gpuWorkNs: 20_000},
      {
        operator: 'aten::mm',
        operatorSlice: expect.any(Number) as number,
        names: ['mlp', 'step', 'model.py(7): forward'],
        instances: 2,
        gpuWorkNs: 11_000,
      },
    ]);
  });

  it('tells those of the selection alone, and none of a name that no kernel has', () => {
    expect(launchSources(trace, called('gemm'), {range: 'mlp'}).map(({instances}) => instances)).toEqual([2]);
    expect(launchSources(trace, called('other'))).toEqual([]);
  });

  it('tells of thousands of names those with the most GPU work', async () => {
    const steps = await traceOfEvents(
      Array.from({length: 5002}, (_, at) => [
        kineto.range(`step ${String(at)}`, 20 * at, 10),
        kineto.call(at + 1, 20 * at + 1, 1),
        kineto.kernel(at + 1, 200_000 + 20 * at, at === 3 ? 1 : 5),
      ]).flat(),
    );
    const sources = launchSources(steps, () => true);
    expect(sources).toHaveLength(5000);
    expect(sources.some(({names}) => names.includes('step 3'))).toBe(false);
  });
});
