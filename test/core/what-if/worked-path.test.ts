import {expect, it} from 'vitest';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

it('a row of the critical path has a line only while that line runs', async () => {
  const trace = await traceOfEvents([
    kineto.range('ProfilerStep#1', 0, 100),
    kineto.python('train.py(5): load', 10, 20),
    kineto.op('aten::rand', 12, 10),
    // What begins after the line has ended, and is open in the second step.
    kineto.range('loop', 40, 260),
    kineto.range('ProfilerStep#2', 110, 100),
    kineto.op('aten::mm', 120, 50),
  ]);
  const {criticalPath} = whatIf(trace, 2);
  expect(criticalPath.find(({name}) => name === 'aten::mm')).toMatchObject({ns: 50_000, file: null, line: null});
});
