import {expect, it} from 'vitest';
import {stackKinds, type RangeStack} from '../../../src/core/attribution/range-stack.js';
import {rangeRows, rangeGroupings} from '../../../src/core/figures/range-rows.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {naiveRowsByName} from '../../support/naive-ranges.js';
import {randomTrace} from '../../support/random-trace.js';

const seeds = Array.from({length: 60}, (_, seed) => seed);

it.each(seeds)('the account closes, by name, path and instance (seed %i)', seed => {
  const trace = randomTrace(seed);
  for (const by of rangeGroupings) {
    const sum = rangeRows(trace, by).reduce((total, row) => total + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    expect(sum).toBe(gpuSummary(trace).workNs);
  }
});

it.each(seeds)('the account closes whatever makes the stack, and with names folded (seed %i)', seed => {
  const trace = randomTrace(seed);
  const choices: RangeStack[] = [
    ...stackKinds.map(kind => ({kinds: [kind]})),
    {kinds: []},
    {kinds: stackKinds, fold: {unfolded: [], layers: true}},
    {domain: ''},
  ];
  for (const choice of choices) {
    const rows = rangeRows(trace, 'name', choice);
    const sum = rows.reduce((total, row) => total + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    expect([choice, sum]).toEqual([choice, gpuSummary(trace).workNs]);
  }
});

it.each(seeds)('self ≤ work, busy ≤ work and, per instance and device, busy ≤ span (seed %i)', seed => {
  const trace = randomTrace(seed);
  for (const row of rangeRows(trace, 'instance')) {
    expect(row.gpuSelfNs).toBeLessThanOrEqual(row.gpuWorkNs);
    expect(row.gpuBusyNs).toBeLessThanOrEqual(row.gpuWorkNs);
  }
  for (const {id} of trace.devices) {
    for (const row of rangeRows(trace, 'instance', {selection: {device: id}})) {
      if (row.count > 0) expect(row.gpuBusyNs).toBeLessThanOrEqual(row.gpuSpanNs);
    }
  }
});

it.each(seeds)('rangeRows(trace, "name") gives what a comparison of all pairs gives (seed %i)', seed => {
  const trace = randomTrace(seed);
  const rows = rangeRows(trace, 'name');
  const expected = naiveRowsByName(trace);
  expect(rows.map(({name}) => name).sort()).toEqual([...expected.keys()].sort());
  for (const row of rows) expect(row).toMatchObject({...expected.get(row.name)});
});

it.each(seeds)('a selection of everything has the figures of the whole trace (seed %i)', seed => {
  const trace = randomTrace(seed);
  const choices: RangeStack[] = [
    {},
    {kinds: stackKinds},
    {fold: {unfolded: [], layers: true}},
    {kinds: stackKinds, fold: {unfolded: []}},
  ];
  for (const choice of choices) {
    for (const by of rangeGroupings) {
      const selected = rangeRows(trace, by, {...choice, selection: {fromNs: -1}});
      const whole = rangeRows(trace, by, choice);
      expect([choice, by, whole]).toEqual([choice, by, selected]);
    }
  }
});
