import {describe, expect, it} from 'vitest';
import {callersAndCallees} from '../../../src/core/flame/callers-callees.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';

const trace = traceFromText(`
  range layer_0    ======
  range layer_1          ========
  op aten::linear  =====
  op aten::addmm    ===  ===   ==
  call              A     BC   D
  stream 7            AAA   BBBB
  stream 8                   CC DDDDD
`);
const of = (focus: string) =>
  callersAndCallees(flameGraph(trace, {weight: 'gpu-work', mode: 'sandwich', focus, isFolded: false}));

describe('callersAndCallees(graph)', () => {
  it('are the names next to a name, the largest first, with work and operations', () => {
    const {total, operations, callers, callees} = of('aten::addmm');
    expect([total, operations]).toEqual([14_000, 4]);
    expect(callers.map(({name, total, operations}) => [name, total, operations])).toEqual([
      ['layer_1', 11_000, 3],
      ['aten::linear', 3000, 1],
    ]);
    expect(callees.map(({name, total, isOperation}) => [name, total, isOperation])).toEqual([
      ['kernel_D', 5000, true],
      ['kernel_B', 4000, true],
      ['kernel_A', 3000, true],
      ['kernel_C', 2000, true],
    ]);
  });

  it('say what has no caller, and what is the name’s own', () => {
    expect(of('layer_1').callers).toEqual([{name: null, isOperation: false, total: 11_000, operations: 3}]);
    expect(of('kernel_A').callees).toEqual([{name: null, isOperation: false, total: 3000, operations: 1}]);
  });

  it('add up to the name on either side, for every name of a training loop', async () => {
    const training = await traceOfEvents(trainingProgram().events);
    const all = flameGraph(training, {weight: 'gpu-work'});
    const names = new Set(Array.from(all.nodes.name, name => all.names[name] ?? '').slice(1));
    expect(names.size).toBeGreaterThan(5);
    for (const focus of names) {
      const found = callersAndCallees(flameGraph(training, {weight: 'gpu-work', mode: 'sandwich', focus}));
      for (const side of [found.callers, found.callees]) {
        expect(side.reduce((sum, row) => sum + row.total, 0)).toBe(found.total);
        expect(side.reduce((sum, row) => sum + row.operations, 0)).toBe(found.operations);
      }
    }
  });
});
