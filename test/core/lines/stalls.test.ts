import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {stallsOf} from '../../../src/core/lines/stalls.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const named = (event: KinetoEvent, name: string): KinetoEvent => ({...event, name});
/** A copy to the host, and the call that launches it. */
const copy = (id: number, ts: number, dur: number): KinetoEvent[] => [
  named(kineto.call(id, ts, dur), 'cudaMemcpyAsync'),
  {...kineto.kernel(id, ts + 1, 1), cat: 'gpu_memcpy', name: 'Memcpy DtoH (Device -> Pageable)'} as KinetoEvent,
];

const none = {calls: 0, blockedNs: 0};

describe('waits', () => {
  it('are of the innermost range, by the operator that asked for them', async () => {
    const trace = await traceOfEvents([
      kineto.range('outer', 0, 1000),
      kineto.range('metrics', 100, 500),
      kineto.op('aten::item', 110, 100),
      kineto.op('aten::_local_scalar_dense', 112, 90),
      ...copy(1, 115, 60),
      named(kineto.call(2, 180, 15), 'cudaStreamSynchronize'),
      kineto.op('aten::to', 300, 100),
      ...copy(3, 310, 70),
      // A kernel's launch does not wait.
      kineto.call(4, 450, 100),
      kineto.kernel(4, 460, 20),
      named(kineto.call(5, 700, 33), 'cudaDeviceSynchronize'),
    ]);
    const {lines, wallNs, steps, hasOperators} = stallsOf(trace, [[['metrics']], [['outer']], [['other']]]);
    expect({wallNs, steps, hasOperators}).toEqual({wallNs: 1_000_000, steps: 0, hasOperators: true});
    expect(lines.map(({waits}) => waits)).toEqual([
      {item: {calls: 1, blockedNs: 75_000}, copy: {calls: 1, blockedNs: 70_000}, other: none},
      {item: none, copy: none, other: {calls: 1, blockedNs: 33_000}},
      {item: none, copy: none, other: none},
    ]);
  });

  it('are copies where no operators tell, but for those that wait for a whole device', async () => {
    const trace = await traceOfEvents([
      kineto.range('metrics', 0, 500),
      ...copy(1, 115, 60),
      named(kineto.call(2, 180, 15), 'cudaStreamSynchronize'),
      named(kineto.call(3, 300, 20), 'cudaDeviceSynchronize'),
    ]);
    const {lines, hasOperators} = stallsOf(trace, [[['metrics']]]);
    expect(hasOperators).toBe(false);
    expect(lines[0]?.waits).toEqual({
      item: none,
      copy: {calls: 2, blockedNs: 75_000},
      other: {calls: 1, blockedNs: 20_000},
    });
  });

  it('of functions are by what the innermost one of the user’s called', async () => {
    const trace = await traceOfEvents([
      kineto.python('train.py(3): main', 0, 900),
      kineto.python('train.py(9): log', 100, 300),
      kineto.python('<built-in method item of Tensor object at 0x7f50>', 110, 90),
      ...copy(1, 115, 60),
      kineto.python('<built-in function print>', 250, 100),
      kineto.python('torch/_tensor.py(570): __repr__', 255, 90),
      ...copy(2, 260, 40),
    ]);
    expect(stallsOf(trace, []).frames).toEqual([
      {file: 'train.py', functionName: 'log', called: 'item', calls: 1, blockedNs: 60_000},
      {file: 'train.py', functionName: 'log', called: 'print', calls: 1, blockedNs: 40_000},
    ]);
  });
});

it('the tail is how long the GPU goes on after a range, and the first instance stands apart', async () => {
  const trace = await traceOfEvents([
    ...[900, 100, 120, 110].flatMap((wallUs, at) => [
      kineto.range('forward', 1000 * at, wallUs),
      kineto.call(at + 1, 1000 * at + 1, 5),
      kineto.kernel(at + 1, 1000 * at + 50, 200),
    ]),
    kineto.range('once', 5000, 10),
  ]);
  const {lines} = stallsOf(trace, [[['forward']], [['once']]]);
  // 150, 130 and 140 µs behind the ends of the last three.
  expect(lines[0]).toMatchObject({tailNs: 420_000, firstWallNs: 900_000, laterWallNs: 110_000});
  expect(lines[1]).toMatchObject({tailNs: 0, firstWallNs: NaN, laterWallNs: NaN});
});

it('the checks of anomaly mode are those right inside the evaluation of a node', async () => {
  const evaluation = 'autograd::engine::evaluate_function: AddmmBackward0';
  const trace = await traceOfEvents([
    kineto.op(evaluation, 0, 500),
    kineto.op('AddmmBackward0', 10, 100),
    kineto.op('aten::item', 20, 10),
    kineto.op('aten::isnan', 150, 22),
    kineto.op('aten::_is_any_true', 200, 54),
    kineto.op('aten::item', 300, 7),
    kineto.op('aten::isnan', 600, 40),
  ]);
  expect(stallsOf(trace, []).anomaly).toEqual({calls: 1, blockedNs: 83_000});
  // A node may read values without any mode.
  const plain = await traceOfEvents([
    kineto.op(evaluation, 0, 500),
    kineto.op('aten::item', 300, 7),
    kineto.op('aten::isnan', 600, 4),
  ]);
  expect(stallsOf(plain, []).anomaly).toEqual({calls: 0, blockedNs: 0});
});

describe.skipIf(!hasData)('a real job', () => {
  it('waits where a program of its own says', async () => {
    // Sums over the events of the file, in Python: copies to the host and synchronisations inside the steps.
    const trace = await openTrace(join(dataFolder, 'kineto', 'diff-test.json.gz'));
    const names = ['all2all_tw_data:init', 'all2all_tw_data:wait', 'permute_id_list_features', 'optimizer'];
    const {lines, steps, wallNs} = stallsOf(
      trace,
      names.map(name => [[`## ${name} ##`]]),
    );
    expect({steps, wallNs}).toEqual({steps: 6, wallNs: 744_401_000});
    expect(lines.map(({waits}) => [waits.item.blockedNs, waits.copy.blockedNs])).toEqual([
      [163_531_000, 5_244_000],
      [0, 96_568_000],
      [10_478_000, 0],
      [0, 0],
    ]);
    expect(lines[0]?.waits.item.calls).toBe(6);
  });

  it('with Python stacks waits in the functions that called for it', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'timesformer-h100-python-stacks.json.gz'));
    const {frames} = stallsOf(trace, []);
    const sum = frames.reduce((ns, {blockedNs}) => ns + blockedNs, 0);
    // The calls that begin inside the steps, as the file has them.
    expect(frames[0]).toMatchObject({functionName: 'run_on_input', called: '__call__'});
    // One wait of 125,948.634 µs is among them.
    expect(frames[0]?.blockedNs).toBeGreaterThan(125_948_634);
    expect(sum / 1000).toBeCloseTo(13.94 + 16.36 + 125948.634 + 12.15, 3);
  });
});
