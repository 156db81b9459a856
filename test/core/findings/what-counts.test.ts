import {describe, expect, it} from 'vitest';
import {kineto} from '../../support/kineto-events.js';
import {busy, findingsOf} from '../../support/made-findings.js';
import type {GpuProgram} from '../../support/gpu-program.js';

const findingOf = async (rule: string, make: (program: GpuProgram) => void) =>
  (await findingsOf(make)).find(finding => finding.rule === rule);

const pageable = {name: 'Memcpy HtoD (Pageable -> Device)', bytes: 1e6};

describe('shares of a GPU’s time', () => {
  it('are of that GPU’s copies alone', async () => {
    const alone = await findingOf('copies/pageable', program => {
      for (let at = 0; at < 5; at++) busy(program).launch({...pageable, gpu: 200});
    });
    const ofFour = await findingOf('copies/pageable', program => {
      for (let at = 0; at < 5; at++) {
        busy(program).launch({...pageable, gpu: 200});
        for (const device of [1, 2, 3]) program.launch({...pageable, gpu: 200, cpu: 2, device});
      }
    });
    expect(alone?.gainAtMostNs).toBe(1e6);
    expect(ofFour?.gainAtMostNs).toBe(1e6);
    expect(ofFour?.title).toContain('5 copies');
  });

  it('are of the profiler’s work beside that GPU’s', async () => {
    const finding = await findingOf('doubt/profiler-overhead', program => {
      busy(program);
      program.launch({gpu: 10, device: 1}).python(8000).launch({gpu: 10, device: 1});
      for (const [ts, dur] of [
        [100, 300],
        [3000, 4000],
      ] as const) {
        program.events.push({...kineto.range('Buffer Flush', ts, dur), cat: 'overhead'});
      }
    });
    expect(finding?.title).toMatch(/^The profiler takes 30\.0 % of the recorded time itself: 300 µs/);
  });
});

describe('doubt/unsynchronised-timers', () => {
  const onTwo = (program: GpuProgram) => program.launch({gpu: 90}).launch({gpu: 90, device: 1});

  it('is silent where a range waits for the work that it gave to two GPUs', async () => {
    const rule = 'doubt/unsynchronised-timers';
    const waits = (program: GpuProgram) => {
      for (let at = 0; at < 5; at++) program.range('timed', () => onTwo(program).synchronise());
    };
    expect(await findingOf(rule, waits)).toBeUndefined();
    const doesNotWait = (program: GpuProgram) => {
      for (let at = 0; at < 5; at++) {
        program.range('timed', () => onTwo(program));
        program.synchronise();
      }
    };
    // From 0 to 100 µs of each, not twice 90.
    expect((await findingOf(rule, doesNotWait))?.title).toMatch(/50\.0 µs on the CPU, .* for 500 µs\.$/);
  });
});

it('copies/small counts the calls of small copies alone', async () => {
  const small = (program: GpuProgram) =>
    program.launches(250, {name: 'Memcpy DtoH (Device -> Pinned)', gpu: 2, bytes: 8, cpu: 5});
  const alone = await findingOf('copies/small', small);
  const beside = await findingOf('copies/small', program =>
    small(program).launch({name: 'Memcpy DtoH (Device -> Pinned)', gpu: 5000, bytes: 1e9, cpu: 5000}),
  );
  expect(alone?.gainAtMostNs).toBe(250 * 3000);
  expect(beside?.gainAtMostNs).toBe(250 * 3000);
});
