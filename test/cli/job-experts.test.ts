import {describe, expect, it} from 'vitest';
import {layerExchanges} from '../../src/core/job/layer-exchanges.js';
import {ranksOfProfile} from '../../src/cli/ranks-of-file.js';
import {kineto} from '../support/kineto-events.js';
import {ofEvents} from '../support/trace-of-events.js';

describe('all-to-all calls', () => {
  it('of a trace are found outside every range, each pass through the experts by itself', async () => {
    const exchange = (id: number, ts: number) => [
      kineto.op('record_param_comms', ts, 4, {
        'Collective name': 'all_to_allv',
        'In split size': '[3, 1]',
        'Group size': 2,
      }),
      kineto.call(id, ts + 1, 1),
      {...kineto.kernel(id, ts + 2, 5), name: 'ncclDevKernel_SendRecv(x)'},
    ];
    const pass = (layer: number, id: number, ts: number) => [
      ...exchange(id, ts),
      kineto.range(`layers.${String(layer)}.experts.0`, ts + 10, 10),
      kineto.range(`layers.${String(layer)}.experts.1`, ts + 20, 10),
      ...exchange(id + 1, ts + 35),
    ];
    const events = [...pass(0, 1, 0), ...pass(1, 3, 100), ...pass(0, 5, 200)];
    const ranks = await ofEvents(events, {distributedInfo: {rank: 0, world_size: 2}}, path => ranksOfProfile(path, 0));
    expect(layerExchanges(ranks).map(({layer, calls, busyNs, received}) => [layer, calls, busyNs, received])).toEqual([
      [
        'layers.0',
        4,
        20_000,
        [
          {rank: 0, tokens: 6},
          {rank: 1, tokens: 2},
        ],
      ],
      [
        'layers.1',
        2,
        10_000,
        [
          {rank: 0, tokens: 3},
          {rank: 1, tokens: 1},
        ],
      ],
    ]);
    expect(ranks[0]?.calls.map(({layer, isDispatch}) => [layer, isDispatch])).toEqual([
      ['layers.0', true],
      ['layers.0', false],
      ['layers.1', true],
      ['layers.1', false],
      ['layers.0', true],
      ['layers.0', false],
    ]);
  });
});
