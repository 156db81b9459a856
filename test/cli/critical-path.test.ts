import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const path = join(temporaryFolder(), 'path.pt.trace.json');
writeFileSync(path, kinetoText(new GpuProgram().launches(4, {gpu: 50, operator: 'aten::mm'}).events, {}));

describe('gpu-lens critical-path', () => {
  it('prints the path’s length, its parts, and the slack of operations', () => {
    // From the start of the first call at 1 µs: 4 µs to the kernel, then four kernels of 50 µs without gaps.
    const answer = json('critical-path', path) as Record<string, unknown>;
    expect(answer).toMatchObject({window: 'the whole profile', notes: []});
    expect(answer['pathNs']).toBe(205_000);
    expect(answer['shares']).toMatchObject({
      kind: [
        {name: 'kernel', ns: 200_000},
        {name: 'launch', ns: 4000},
        {name: 'cpu', ns: 1000},
      ],
      class: [
        {name: 'matrix product', ns: 200_000},
        {name: '(launch)', ns: 4000},
        {name: '(cpu)', ns: 1000},
      ],
      line: [{name: '(no line of your code)', ns: 205_000}],
      module: [{name: '(outside any module)', ns: 205_000}],
    });
    expect(run('critical-path', path, '--by', 'operation').stdout).toMatch(
      /^Critical path of the whole profile: 205 µs of [\d.]+ µs \([\d.]+ %\), through \d+ events\n/,
    );
  });

  it('refuses ranges and parts that are not there', () => {
    expect(run('critical-path', path, '--filter-nvtx', 'nothing')).toMatchObject({status: 1});
    expect(run('critical-path', path, '--by', 'colour')).toMatchObject({status: 2});
    expect(run('critical-path', path, '--filter-nvtx', 'a', '--step', '1')).toMatchObject({status: 2});
  });
});
