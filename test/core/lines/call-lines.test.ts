import {expect, it} from 'vitest';
import {callLines} from '../../../src/core/lines/call-lines.js';
import {parseCallLine} from '../../../src/core/source/call-line.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

it('parseCallLine(name) reads what the line pass calls its ranges, and nothing else', () => {
  expect(parseCallLine('src/a b:c.py:12')).toEqual({file: 'src/a b:c.py', line: 12});
  expect(parseCallLine('C:/w/model.py:3')).toEqual({file: 'C:/w/model.py', line: 3});
  const others = [
    'model.py',
    'model.py:',
    'model.py:0',
    'model.py:x',
    'a.cpp:3',
    'model.py(3): f',
    ':3',
    'a.py:9999999999',
  ];
  for (const name of [...others, 'aten::mm']) expect(parseCallLine(name), name).toBeNull();
});

it('callLines(trace) adds the work of all calls on a line, each operation once', async () => {
  const trace = await traceOfEvents([
    kineto.op('model.py:3', 0, 50),
    // Inside itself, as a call in an argument's property is.
    kineto.op('model.py:3', 5, 20),
    kineto.call(1, 10, 5),
    kineto.kernel(1, 30, 7),
    kineto.op('model.py:3', 100, 10),
    kineto.call(2, 102, 2),
    kineto.kernel(2, 120, 3),
    kineto.op('src/other.py:9', 200, 10),
    kineto.op('aten::mm', 201, 5),
    kineto.call(3, 202, 2),
    kineto.kernel(3, 220, 10),
    kineto.op('model.py:8', 300, 10),
  ]);
  const told = callLines(trace, 'profile').map(({file, line, name, timing}) => {
    expect(name).toBe(`${file}:${String(line)}`);
    return [file, line, timing.gpuWorkNs, timing.allGpuWorkNs, timing.operations, timing.isGpuProfile];
  });
  // 7 + 3 of 20 µs; 10 of 20; none.
  expect(told).toEqual([
    ['model.py', 3, 10_000, 20_000, 2, true],
    ['src/other.py', 9, 10_000, 20_000, 1, true],
    ['model.py', 8, 0, 20_000, 0, true],
  ]);
  expect(
    callLines(trace, {fromNs: 120_000, toNs: 122_000}).map(({line, timing}) => [line, timing.gpuWorkNs]),
  ).toContainEqual([3, 2000]);
});

it('callLines(trace) has none of a trace that the line pass did not record', async () => {
  const trace = await traceOfEvents([kineto.op('aten::mm', 0, 5), kineto.range('model.py:3', 10, 5)]);
  expect(callLines(trace, 'profile')).toEqual([]);
});
