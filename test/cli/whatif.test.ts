import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

function profile(name: string, events: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, kinetoText(events, {}));
  return path;
}

const program = new GpuProgram().launches(20, {gpu: 50, operator: 'aten::mm'}).launches(5, {gpu: 2, cpu: 30});
const plain = profile('plain.pt.trace.json', program.events);

describe('gpu-lens whatif', () => {
  it('prints the contract’s keys, and a replay that equals what was measured', () => {
    const answer = json('whatif', plain, '--replay') as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual([
      ...['measuredNs', 'replayedNs', 'errorPercent', 'predictedNs', 'intervalNs', 'criticalPath', 'notes'],
    ]);
    // 20 kernels of 50 µs one behind the other, then five of 2 µs that were launched long before.
    expect(answer).toMatchObject({measuredNs: 1_010_000, replayedNs: 1_010_000, errorPercent: 0});
    expect(answer['criticalPath']).toEqual([{kind: 'kernel', name: 'gemm', ns: 1_010_000, file: null, line: null}]);
  });

  it('says why it predicts nothing where graph launches have no nodes', () => {
    const graph = {cat: 'cuda_runtime', ph: 'X', name: 'cudaGraphLaunch', pid: 100, tid: 100, ts: 300, dur: 5};
    const path = profile('graph.pt.trace.json', [...program.events, {...graph, args: {correlation: 9999}}]);
    const answer = json('whatif', path) as Record<string, unknown>;
    expect(answer).toMatchObject({errorPercent: null, replayedNs: null, predictedNs: null, intervalNs: null});
    expect(answer['notes']).toMatchObject([{code: 'replay/graphs-without-nodes'}]);
  });

  it('says why where kernels are lost', () => {
    const kept = program.events.filter((event, at) => !('cat' in event && event.cat === 'kernel' && at % 4 === 0));
    const answer = json('whatif', profile('lost.pt.trace.json', kept));
    expect(answer).toMatchObject({errorPercent: null, notes: [{code: 'replay/lost-events'}]});
  });

  it('predicts a recording of the CPU for a GPU, with the lines of its ranges', () => {
    const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
    const answer = json('whatif', sample, '--system', 'h100') as {
      readonly measuredNs: number;
      readonly predictedNs: number;
      readonly intervalNs: readonly [number, number];
      readonly predictedGpuWorkNs: number;
      readonly lines: readonly {readonly name: string; readonly file: string; readonly predictedGpuWorkNs: number}[];
    };
    const {measuredNs, predictedNs, intervalNs, predictedGpuWorkNs, lines} = answer;
    expect(predictedNs).toBeLessThan(measuredNs);
    expect(predictedNs).toBeGreaterThan(predictedGpuWorkNs);
    expect(intervalNs[0]).toBeLessThanOrEqual(predictedNs);
    expect(intervalNs[1]).toBeGreaterThanOrEqual(predictedNs);
    expect(lines.find(({name}) => name === 'ffn_sublayer')).toMatchObject({file: 'model.py'});
    const halved = json('whatif', sample, '--system', 'h100', '--apply', 'launch-cost=0.5') as typeof answer;
    expect(halved.predictedNs).toBeLessThan(predictedNs);
    expect(halved.predictedGpuWorkNs).toBe(predictedGpuWorkNs);
    expect(run('whatif', sample, '--system', 'h100', '--apply', 'gpu=b200')).toMatchObject({status: 2, stdout: ''});
    expect(run('whatif', sample, '--system', 'h100').stdout).toMatch(/^Predicted {2}≈ .* on h100/m);
  });

  it('moves a profile of a GPU to another one by --system as by gpu=', () => {
    const a100 = join(folder, 'a100.pt.trace.json');
    writeFileSync(a100, kinetoText(program.events, {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-40GB'}]}));
    expect(json('whatif', a100, '--system', 'h100')).toEqual(json('whatif', a100, '--apply', 'gpu=h100'));
    expect(run('whatif', a100, '--system', 'x')).toMatchObject({status: 2, stdout: ''});
  });

  it('prints a table for people, and refuses steps that are not there', () => {
    expect(run('whatif', plain).stdout).toMatch(/^Measured {3}1\.01 ms\nReplayed {3}1\.01 ms \(\+0 %\)\n/);
    expect(run('whatif', plain, '--step', '7')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: This profile has no step 7.\n',
    });
    expect(run('whatif')).toMatchObject({status: 2});
  });
});
