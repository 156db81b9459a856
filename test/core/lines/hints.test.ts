import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {hintText} from '../../../src/core/text/hint-text.js';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import {stallsOf} from '../../../src/core/lines/stalls.js';
import {hintsOf} from '../../../src/core/lines/hints.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {parsePython, pythonTags} from '../../../src/source/python-tags.js';
import {findSuspects} from '../../../src/source/python/suspects.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** The hints of a text with a trace: "line: sentence". */
function hints(text: string, trace: Trace, isStale = false): string[] {
  const parsed = parsePython(text);
  const tags = pythonTags(parsed);
  const known = tags.flatMap(tag => (tag.pattern ? [{tag, patterns: [tag.pattern]}] : []));
  const patterns = known.map(line => line.patterns);
  const stalls = stallsOf(trace, patterns);
  const timings = lineTimings(trace, patterns);
  const lines = known.map(({tag}, at) => ({
    tag,
    isStale,
    timing: timings[at] as never,
    stalls: stalls.lines[at] as never,
  }));
  return hintsOf(findSuspects(parsed), tags, lines, stalls, stalls.frames[0]?.file ?? null).map(
    hint => `${String(hint.suspect.line)}: ${hintText(hint, stalls)}`,
  );
}

const copy = (id: number, ts: number, dur: number): object[] => [
  {...kineto.call(id, ts, dur), name: 'cudaMemcpyAsync'},
  {...kineto.kernel(id, ts + dur - 2, 1), cat: 'gpu_memcpy', name: 'Memcpy DtoH (Device -> Pageable)'},
];

const imports = 'import time\nimport torch\nfrom torch.profiler import profile, record_function\n';

describe('hints of waits', () => {
  const text = `${imports}with record_function("metrics"):
    loss.item()
    x.cpu()
    with record_function("inner"):
        y.item()
print(loss.sum())
`;
  const events = [
    kineto.range('ProfilerStep#1', 0, 1000),
    kineto.range('metrics', 100, 500),
    kineto.op('aten::item', 110, 200),
    ...copy(1, 115, 150),
    kineto.range('inner', 400, 100),
    kineto.op('aten::item', 410, 50),
    ...copy(2, 415, 5),
    kineto.call(9, 700, 5),
    kineto.kernel(9, 720, 200),
    kineto.range('ProfilerStep#2', 2000, 1000),
  ];

  it('have what the profile measured in the innermost tag, and only where it is much', async () => {
    expect(hints(text, await traceOfEvents(events))).toEqual([
      '5: .item() waits for the GPU. In this profile such calls inside "metrics" blocked the CPU for 75.0 µs/step (7.50 % of the steps, ×0.5).',
    ]);
  });

  it('are none in a block that has changed, without waits, and without the tag in the profile', async () => {
    expect(hints(text, await traceOfEvents(events), true)).toEqual([]);
    expect(
      hints(text, await traceOfEvents([kineto.range('metrics', 0, 100), kineto.op('aten::item', 10, 50)])),
    ).toEqual([]);
    expect(hints(text, await traceOfEvents([kineto.range('other', 0, 1000), ...copy(1, 115, 150)]))).toEqual([]);
  });

  it('are of the function where Python stacks tell', async () => {
    const stacked = [
      kineto.python('train.py(9): <module>', 0, 1000),
      kineto.python('<built-in function print>', 600, 300),
      ...copy(1, 650, 200),
    ];
    expect(hints(text, await traceOfEvents(stacked))).toEqual([
      '9: print(…) waits for the GPU. In this profile such calls in <module> blocked the CPU for 200 µs (20.0 % of the profile, ×1).',
    ]);
  });
});

it('a timer that stops before the GPU does has how long it went on', async () => {
  const timer = (wait: string) => `${imports}start = time.time()
with record_function("forward"):
    model(x)
${wait}
print("took", time.time() - start)
`;
  const trace = await traceOfEvents([
    kineto.range('forward', 0, 100),
    kineto.call(1, 10, 5),
    kineto.kernel(1, 20, 480),
  ]);
  expect(hints(timer('pass'), trace)).toEqual([
    '8: time() is read without torch.cuda.synchronize() before it, so it does not time the GPU. In this profile the GPU worked on for 400 µs after "forward" had been closed.',
  ]);
  expect(hints(timer('torch.cuda.synchronize()'), trace)).toEqual([]);
  const quick = await traceOfEvents([kineto.range('forward', 0, 100), kineto.call(1, 10, 5), kineto.kernel(1, 20, 30)]);
  expect(hints(timer('pass'), quick)).toEqual([]);
});

it('a profiler without a warm-up has how long the first instance took', async () => {
  const text = `${imports}with profile() as p:
    for i in range(4):
        with record_function("forward"):
            model(x)
`;
  const of = (walls: readonly number[]) =>
    traceOfEvents(walls.map((wallUs, at) => kineto.range('forward', 1000 * at, wallUs)));
  expect(hints(text, await of([900, 100, 120, 110]))).toEqual([
    '4: profile(…) records without a warm-up. In this profile the first "forward" took 900 µs, those after it 110 µs: give it a schedule with warmup=1 or more.',
  ]);
  expect(hints(text, await of([150, 100, 120, 110]))).toEqual([]);
  expect(hints(text, await of([900, 100]))).toEqual([]);
});

it('anomaly detection has what its checks took', async () => {
  const text = `${imports}torch.autograd.set_detect_anomaly(True)\n`;
  const checks = [
    kineto.op('autograd::engine::evaluate_function: AddmmBackward0', 0, 500),
    kineto.op('aten::isnan', 150, 22),
    kineto.op('aten::_is_any_true', 200, 54),
    kineto.op('aten::item', 300, 7),
  ];
  expect(hints(text, await traceOfEvents(checks))).toEqual([
    '4: set_detect_anomaly(True) checks every gradient. In this profile the checks took 83.0 µs (×1): leave it off but to find an error.',
  ]);
  expect(hints(text, await traceOfEvents([kineto.op('aten::isnan', 150, 22)]))).toEqual([]);
});

it.skipIf(!hasData)('a real job has the stall that its trace holds on the line', async () => {
  const trace = await openTrace(join(dataFolder, 'kineto', 'diff-test.json.gz'));
  const text = `${imports}with record_function("## all2all_tw_data:init ##"):
    total = splits.item()
with record_function("## optimizer ##"):
    print(loss)
`;
  // 163,531 µs in six steps of 744,401 µs: see stalls.test.ts.
  expect(hints(text, trace)).toEqual([
    '5: .item() waits for the GPU. In this profile such calls inside "## all2all_tw_data:init ##" blocked the CPU for 27.3 ms/step (22.0 % of the steps, ×1).',
  ]);
});
