import {describe, expect, it} from 'vitest';
import {parsePython} from '../../../src/source/python-tags.js';
import {findSuspects} from '../../../src/source/python/suspects.js';

const suspects = (text: string) => findSuspects(parsePython(text));
const told = (text: string) => suspects(text).map(({kind, spelling}) => `${kind} ${spelling}`);

describe('spellings of what may wait for a GPU', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['loss.item()', ['item .item()']],
    ['total += model(x).sum().item()', ['item .item()']],
    ['loss . item ( )', ['item .item()']],
    ['array.item(3)', []],
    ['d.items()', []],
    ['item()', []],
    ['logits.cpu()', ['copy .cpu()']],
    ['logits.detach().cpu().numpy()', ['copy .cpu()']],
    ['x.to("cpu")', ['copy .to("cpu")']],
    ["x.to(device='cpu', non_blocking=True)", ['copy .to("cpu")']],
    ['x.to(torch.device("cpu"))', ['copy .to("cpu")']],
    ['x.to("cuda")', []],
    ['x.to(device)', []],
    ['x.tolist()', ['copy .tolist()']],
    ['print(loss)', ['print print(…)']],
    ['print(f"loss {loss}")', ['print print(…)']],
    ['print(f"loss {loss.item()}")', ['item .item()']],
    ['print("loss", loss, file=out)', ['print print(…)']],
    ['print("done", 3)', []],
    ['print(f"done")', []],
    ['print("done", file=out, flush=True)', []],
    ['log.print(loss)', []],
    ['# loss.item()', []],
    ['"loss.item()"', []],
    ['import torch\ntorch.autograd.set_detect_anomaly(True)', ['anomaly set_detect_anomaly(True)']],
    ['import torch\ntorch.autograd.set_detect_anomaly(mode=args.debug)', ['anomaly set_detect_anomaly(True)']],
    ['import torch\ntorch.autograd.set_detect_anomaly(False)', []],
    ['from torch import autograd as ag\nag.set_detect_anomaly(True)', ['anomaly set_detect_anomaly(True)']],
    ['from torch.autograd import set_detect_anomaly as check\ncheck(True)', ['anomaly set_detect_anomaly(True)']],
    ['import torch\nwith torch.autograd.detect_anomaly():\n    x()', ['anomaly detect_anomaly()']],
    ['from torch.autograd.anomaly_mode import detect_anomaly\ndetect_anomaly()', ['anomaly detect_anomaly()']],
    ['loss.item(', []],
  ];
  it.each(table)('%s', (text, expected) => {
    expect(told(text)).toEqual(expected);
  });
});

describe('host timers', () => {
  const timers = (text: string) => suspects(text).filter(({kind}) => kind === 'timer');
  const table: readonly (readonly [string, string, boolean])[] = [
    ['a reading taken away from another', 'import time\ns = time.time()\nf()\nprint(time.time() - s)', true],
    ['both kept', 'from time import perf_counter\na = perf_counter()\nf()\nb = perf_counter()\nt = b - a', true],
    ['an alias', 'from time import perf_counter_ns as now\na = now()\nf()\nt = now() - a', true],
    ['a module’s alias', 'import time as t\na = t.monotonic()\nf()\nd = (t.monotonic() - a)', true],
    ['timeit', 'import timeit\na = timeit.default_timer()\nf()\nd = timeit.default_timer() - a', true],
    ['an attribute', 'import time\ndef f(self):\n  self.a = time.time()\n  g()\n  return time.time() - self.a', true],
    ['synchronized', 'import time\na = time.time()\nf()\ntorch.cuda.synchronize()\nd = time.time() - a', false],
    ['a value read', 'import time\na = time.time()\nx = f().item()\nd = time.time() - a', false],
    ['another function', 'import time\na = time.time()\ndef f():\n  return time.time() - a', false],
    ['another clock', 'clock = read()\na = clock.time()\nd = clock.time() - a', false],
    ['no difference', 'import time\na = time.time()\nb = time.time()\nprint(a, b)', false],
    ['one that was read later', 'import time\nb = time.time() - a\na = time.time()', false],
  ];
  it.each(table)('%s', (_, text, isTimer) => {
    expect(timers(text)).toHaveLength(isTimer ? 1 : 0);
  });

  it('are about the lines between their readings', () => {
    const [timer] = timers('import time\ns = time.time()\nf()\ng()\nd = time.time() - s\n');
    expect(timer).toMatchObject({spelling: 'time()', line: 5, firstLine: 2, endLine: 5, functionName: '<module>'});
  });
});

describe('profilers without a warm-up', () => {
  const lines = (text: string) =>
    suspects(`import torch\nfrom torch.profiler import profile, schedule\n${text}`)
      .filter(({kind}) => kind === 'no-warm-up')
      .map(({firstLine, endLine}) => [firstLine, endLine]);
  it('are those without a schedule, and those whose schedule has none', () => {
    expect(lines('with profile(activities=[]) as p:\n    step()\n    step()\n')).toEqual([[3, 5]]);
    expect(lines('with torch.profiler.profile(schedule=schedule(wait=0, warmup=0, active=3)):\n    f()')).toEqual([
      [3, 4],
    ]);
    expect(lines('s = schedule(wait=0, warmup=0, active=3)\nwith profile(schedule=s):\n    f()')).toEqual([[4, 5]]);
    expect(lines('with torch.autograd.profiler.profile():\n    f()')).toEqual([[3, 4]]);
    expect(lines('with profile(schedule=schedule(wait=1, warmup=1, active=3)):\n    f()')).toEqual([]);
    expect(lines('with profile(schedule=args.schedule):\n    f()')).toEqual([]);
    expect(lines('def profile(): pass\nx.profile()')).toEqual([]);
  });
});

it('a suspect knows its function and where its method stands', () => {
  const text = 'def step(model):\n    return (\n        model(x)\n        .item()\n    )\n';
  expect(suspects(text)).toEqual([
    {
      kind: 'item',
      spelling: '.item()',
      called: 'item',
      line: 4,
      firstLine: 4,
      endLine: 4,
      from: text.indexOf('item'),
      to: text.indexOf('()\n') + 2,
      functionName: 'step',
    },
  ]);
});
