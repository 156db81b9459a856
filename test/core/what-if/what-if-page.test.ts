import {describe, expect, it} from 'vitest';
import {changesOfTarget, nameOfAll, type WhatIfTarget} from '../../../src/core/what-if/asked-changes.js';
import {usualChange, usualChanges} from '../../../src/core/what-if/usual-changes.js';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {whatIfPage as madePage} from '../../../src/core/what-if/what-if-page.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const a100 = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-40GB'}]};
// 5 to 305 three kernels, 307 the wait returns, 357 the call begins, 362 to 462 the last kernel: without the wait 400.
const events = new GpuProgram().launches(3, {gpu: 100}).synchronise().python(50).launch({gpu: 100}).events;
/** The page, with the spaces that no line break replaces as the usual ones. */
const whatIfPage = (...given: Parameters<typeof madePage>) => madePage(...given).replaceAll('\u00a0', ' ');
const nothing = {asked: [], systems: [], noSystems: null};

describe('the page "What If…"', () => {
  it('has each of the usual changes, what brings most first, and those that cannot be told', async () => {
    const trace = await traceOfEvents(events, a100);
    const changes = usualChanges(trace).map(change => usualChange(trace, null, change));
    expect(changes.map(({change}) => change)).toEqual([
      ...['data-loader=0', 'remove-sync', 'launch-cost=0.5', 'fuse=*', 'attention=fused', 'precision=bf16'],
      ...['overlap-communication', 'balanced-ranks', 'gpu=h100', 'gpu=b200'],
    ]);
    const page = whatIfPage({answer: whatIf(trace, null), changes, ...nothing}, 'a|b.json');
    expect(page).toMatch(
      /^# What if\? a\\\|b\\.json\n\nMeasured: \*\*457 µs\*\*\. The replay takes 457 µs \(\+0 %\)\./,
    );
    expect(page).toContain('| No thread waits for the GPU | ≈ 400 µs | −12.5 % | 394 µs to 406 µs | `remove-sync` |');
    expect(madePage({answer: whatIf(trace, null), changes, ...nothing}, 'a')).toContain(
      '| ≈\u00a0400\u00a0µs | −12.5\u00a0% |',
    );
    expect(page).toContain('No elementwise kernels of similar size follow each other');
    expect(page).toContain('- Attention is fused: No softmax is between two matrix products');
    const known = changes.flatMap(({predictedNs}) => predictedNs ?? []);
    const shown = [...page.matchAll(/^\| [^|]+ \| ≈ ([\d.]+) µs/gm)].map(([, us]) => Number(us));
    expect(shown).toHaveLength(known.length);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(page).toContain('| kernel | ');
    const record = 'Track record: 2 predictions, no later run has one of the changes.';
    expect(page).not.toContain('Track record');
    expect(whatIfPage({answer: whatIf(trace, null), changes, ...nothing}, 'a', record)).toContain('2 predictions');
  });

  it('has first what was asked about: the change of a finding, or a range that takes half of its time, or none', async () => {
    const trace = await traceOfEvents(events, a100);
    const titlesOf = (target: WhatIfTarget) => changesOfTarget(trace, target).map(({change}) => change);
    expect(titlesOf({rule: 'idle/synchronisation'})).toEqual(['remove-sync']);
    expect(titlesOf({rule: 'idle/launch-bound'})).toEqual(['launch-cost=0.1']);
    expect(titlesOf({rule: 'constructor'})).toEqual([]);
    // A kernel has its speed, its roof and its precision; a range also what it does on the CPU.
    expect(titlesOf({name: 'gemm'})).toEqual([
      ...['faster=gemm:2', 'at-roof=gemm', 'precision=bf16:gemm', 'precision=tf32:gemm', 'faster=gemm:inf'],
    ]);
    const ranges = await traceOfEvents(new GpuProgram().range('train_step 1', own => own.launch({gpu: 9})).events);
    expect(changesOfTarget(ranges, {name: 'train_step *'}).map(({change}) => change)).toEqual([
      ...['faster=train_step:2', 'at-roof=train_step', 'precision=bf16:train_step', 'precision=tf32:train_step'],
      ...['attention=fused:train_step', 'fuse=train_step', 'remove-sync=train_step', 'graph=train_step'],
      'faster=train_step:inf',
    ]);
    const ofCpu = await traceOfEvents([kineto.range('load', 0, 100), kineto.op('aten::mm', 0, 50)]);
    expect(changesOfTarget(ofCpu, {name: 'load'}).map(({change}) => change)).toEqual([
      'faster=load:2',
      'faster=load:inf',
    ]);
    const asked = changesOfTarget(trace, {name: 'gemm'}).map(change => usualChange(trace, null, change));
    const unknown = changesOfTarget(trace, {name: 'nowhere'}).map(change => usualChange(trace, null, change));
    const page = whatIfPage(
      {...{answer: whatIf(trace, null), changes: []}, ...nothing, asked: [...asked, ...unknown]},
      'a',
    );
    // Three kernels of 50 µs, 2 µs until the wait returns, the rest as it was; then without kernels.
    expect(page).toContain('| gemm takes half of its time | ≈ ');
    expect(page.indexOf('## What you asked')).toBeLessThan(page.indexOf('## What you asked and cannot be predicted'));
    expect(page).toContain('- nowhere is removed: Nothing in the profile is called');
  });

  it('takes ranges of a line that differ by a number alone as one', () => {
    expect(nameOfAll(['layer_0', 'layer_1', 'layer_10'])).toBe('layer');
    expect(nameOfAll(['forward'])).toBe('forward');
    expect(nameOfAll(['layer_0', 'layernorm'])).toBeNull();
    expect(nameOfAll(['0', '1'])).toBeNull();
    expect(nameOfAll([])).toBeNull();
  });

  it('shows a range’s name as text, also in the change that is asked about', async () => {
    const name = 'a`|<img src=x>[b](http://c.d)';
    const trace = await traceOfEvents([kineto.range(name, 0, 100), kineto.op('aten::mm', 0, 50)]);
    const asked = changesOfTarget(trace, {name}).map(change => usualChange(trace, null, change));
    const page = whatIfPage({answer: whatIf(trace, null), changes: [], ...nothing, asked}, 'a');
    const row = page.split('\n').find(line => line.includes('takes half of its time'));
    // No mark of the name is without a backslash: six cells, and no code.
    expect(row?.replace(/\\./g, '').match(/[`<[]/)).toBeNull();
    expect(row?.replace(/\\./g, '').split('|')).toHaveLength(8);
  });

  it('says why nothing can be replayed, once', async () => {
    const trace = await traceOfEvents([kineto.range('alone', 0, 10)]);
    const changes = usualChanges(trace).map(change => usualChange(trace, null, change));
    const page = whatIfPage({answer: whatIf(trace, null), changes, ...nothing}, 'x.json');
    expect(page.match(/nothing can be replayed/g)).toHaveLength(1);
  });

  it('marks what is predicted for GPUs that are not there', async () => {
    const answer = whatIf(await traceOfEvents(events), null);
    const system = (name: string, notes: readonly string[]) => ({
      ...{
        system: name,
        predictedNs: 200_000,
        intervalNs: [100_000, 300_000] as const,
        predictedGpuWorkNs: 50_000,
        notes,
      },
    });
    const systems = [system('h100', ['For all.', 'For this one.']), system('b200', ['For all.'])];
    const page = whatIfPage({answer, changes: [], asked: [], systems, noSystems: null}, 'cpu.json');
    expect(page).toContain('| h100 | ≈ 200 µs | −56.2 % | 100 µs to 300 µs | ≈ 50.0 µs |\n| b200 |');
    expect(page).toContain('\n- For all\\.\n- h100\\: For this one\\.\n\n');
    const none = whatIfPage(
      {answer, changes: [], asked: [], systems: [], noSystems: 'There are no shapes.'},
      'cpu.json',
    );
    expect(none).toContain('## On another GPU\n\nThere are no shapes\\.');
  });
});
