import {expect, it} from 'vitest';
import {programParts} from '../../../src/core/summary/program-parts.js';
import {topLists} from '../../../src/core/summary/summary-tops.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';

it('programParts(trace) are the person’s own ranges, without steps and those of PyTorch, the most work first', async () => {
  const trace = await traceOfEvents(trainingProgram().events);
  expect(programParts(trace).map(({text}) => text)).toEqual(['Range backward', 'Range forward']);
});

it('programParts(trace) leaves out ranges that differ by a number only', () => {
  const trace = traceFromText(`
    range layer_0   ===
    range layer_1      ===
    range loss            ==
    call            A  B  C
    stream 7        AA BB CC
  `);
  expect(programParts(trace).map(({text}) => text)).toEqual(['Range loss']);
});

it('topLists(trace, selection) are of the part, and add up to its work', async () => {
  const trace = await traceOfEvents(trainingProgram().events);
  const forward = topLists(trace, {range: 'forward'}).find(({title}) => title === 'Kernels');
  // By hand: six steps of five kernels.
  const us = [900, 420, 130, 210, 1300];
  expect(forward?.allNs).toBe(6 * us.reduce((sum, one) => sum + one) * 1000);
  expect(forward?.rows.map(({ns, count}) => [ns, count])).toEqual(
    us.sort((a, b) => b - a).map(one => [6 * one * 1000, 6]),
  );
  const backward = topLists(trace, {range: 'backward'}).find(({title}) => title === 'Kernels');
  expect(backward?.allNs).toBe(2 * (forward?.allNs ?? NaN));
});

it('topLists(trace) has the work of no name below the names, and its rows add up', () => {
  const trace = traceFromText(`
    range loss      ==
    range head        ==
    call            A B C
    stream 7        A BBCCCCCCCC
  `);
  const ranges = topLists(trace).find(({title}) => title === 'Ranges');
  expect(ranges?.rows.map(({name, isBucket}) => [name, isBucket])).toEqual([
    ['head', false],
    ['loss', false],
    ['(outside any range)', true],
  ]);
  expect(ranges?.rows.reduce((sum, {ns}) => sum + ns, 0)).toBe(ranges?.allNs);
});
