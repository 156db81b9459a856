import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {attributionNotes, externalIdAgreement} from '../../src/core/attribution/attribution-notes.js';
import {unmatchedBackwardWork} from '../../src/core/figures/backward-unmatched.js';
import {gpuSummary} from '../../src/core/questions/info.js';
import {operationOrigins} from '../../src/core/figures/operation-origins.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {rangeRows, type RangeQuery, type RangeRow} from '../../src/core/figures/range-rows.js';
import {stepsOf} from '../../src/core/scope/steps.js';
import {taggedRangeKinds, type SliceKind} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {ownProfiles} from '../support/own-profiles.js';
import {temporaryFolder} from '../support/project.js';
import {describeEachFile} from '../support/each-file.js';
import {dataFiles, dataFolder, hasData} from '../support/real-data.js';

const own = ownProfiles(temporaryFolder());
const files = [...own.kineto, ...own.nsys, ...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')];

const withKinds = (...kinds: SliceKind[]): RangeQuery => ({kinds: new Set([...taggedRangeKinds, ...kinds])});

function selfNs(rows: readonly RangeRow[]): number {
  return rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
}

describeEachFile(files)('$name', ({path}) => {
  let trace: Trace;
  beforeAll(async () => {
    trace = await openTrace(path);
  });

  it.each<[string, RangeQuery]>([
    ['tagged ranges', {}],
    ['operators', withKinds('cpu_op')],
    ['modules', withKinds('module')],
    ['Python frames', withKinds('cpu_op', 'module', 'python_function')],
    ['folded names', {...withKinds('cpu_op'), fold: {unfolded: []}}],
    ['the default domain', {domain: ''}],
  ])('closes its account with %s', (_, query) => {
    const rows = rangeRows(trace, 'name', query);
    expect(selfNs(rows)).toBe(gpuSummary(trace).workNs);
    for (const row of rows) {
      expect(row.gpuBusyNs).toBeLessThanOrEqual(row.gpuWorkNs);
      expect(row.gpuSelfNs).toBeLessThanOrEqual(row.gpuWorkNs);
      expect(row.backwardGpuSelfNs).toBeLessThanOrEqual(row.backwardGpuWorkNs);
      expect(row.launches).toBeLessThanOrEqual(row.ops);
    }
  });

  it('has all its work in its devices, and in windows that follow each other', () => {
    const {workNs} = gpuSummary(trace);
    const of = (query: RangeQuery['selection']) => selfNs(rangeRows(trace, 'path', {selection: query ?? {}}));
    expect(trace.devices.reduce((sum, {id}) => sum + of({device: id}), 0)).toBe(workNs);
    const middleNs = Math.floor(trace.spanNs / 3);
    expect(of({toNs: middleNs}) + of({fromNs: middleNs})).toBe(workNs);
  });

  it('splits "(backward, unmatched)" into sorts that add up to it', () => {
    const bucket = rangeRows(trace, 'name').find(({name}) => name === '(backward, unmatched)');
    expect(unmatchedBackwardWork(trace).reduce((sum, {workNs}) => sum + workNs, 0)).toBe(bucket?.gpuSelfNs);
  });

  it('names operators by external ids as it does by time, where the ids mean anything', () => {
    const {agreeing, disagreeing} = externalIdAgreement(trace, attributionOf(trace));
    expect(disagreeing).toBeLessThanOrEqual(0.01 * (agreeing + disagreeing));
  });

  it('joins backward operators to forward ones as the profiler’s own arrows do', () => {
    const codes = attributionNotes(trace, attributionOf(trace)).map(({code}) => code);
    expect(codes).not.toContain('attribution/fwdbwd-disagree');
  });
});

describe.skipIf(!hasData)('what real files say of attribution', () => {
  const open = (folder: string, name: string) => openTrace(join(dataFolder, folder, name));

  it.each(['alexnet-cuda-sync', 'diff-control', 'ddp-rank-0-of-128'])(
    '%s has external ids that say nothing',
    async name => {
      const trace = await open('kineto', `${name}.json.gz`);
      const codes = attributionNotes(trace, attributionOf(trace)).map(({code}) => code);
      expect(codes).toContain('attribution/external-ids');
    },
  );

  it('ns-resolution-rank0 has five steps, which together launch all there is', async () => {
    const trace = await open('kineto', 'ns-resolution-rank0.json.gz');
    const steps = stepsOf(trace).map(({number}) => number);
    expect(steps).toHaveLength(5);
    const ofSteps = steps.map(step => selfNs(rangeRows(trace, 'name', {selection: {step}})));
    expect(Math.min(...ofSteps)).toBeGreaterThan(0);
    expect(ofSteps.reduce((sum, ns) => sum + ns, 0)).toBeLessThanOrEqual(gpuSummary(trace).workNs);
  });

  it('ns-resolution-rank0 maps 2,110 of its backward operations, and says what the others are', async () => {
    const trace = await open('kineto', 'ns-resolution-rank0.json.gz');
    const unmatched = unmatchedBackwardWork(trace).filter(({operations}) => operations > 0);
    expect(unmatched.map(({sort, operations}) => [sort, operations])).toEqual([
      ['gradient accumulation', 805],
      ['copies', 805],
    ]);
  });

  it('train-resnet18-ddp-mi300 was launched by one line of its user', async () => {
    const trace = await open('kineto', 'train-resnet18-ddp-mi300.json.gz');
    const {frame, operator} = operationOrigins(trace);
    const names = new Set(Array.from(frame, slice => trace.strings.get(trace.slices.name[slice] ?? 0)));
    expect([...names]).toEqual(['train_single_gpu.py(41): main']);
    expect(operator.every(slice => slice >= 0)).toBe(true);
  });

  it('vllm-decode-hipgraph-mi300 shows the nodes of its graphs, many to a launch', async () => {
    const trace = await open('kineto', 'vllm-decode-hipgraph-mi300.json.gz');
    const rows = rangeRows(trace, 'name');
    const sum = (key: 'ops' | 'launches') => Math.max(...rows.map(row => row[key]));
    expect(sum('ops')).toBeGreaterThan(10 * sum('launches'));
  });

  it('power-iteration-t4 has the ranges of CCCL’s domain apart where that is asked', async () => {
    const trace = await open('nsys', 'power-iteration-t4.sqlite');
    const cccl = rangeRows(trace, 'name', {domain: 'CCCL'});
    expect(cccl.filter(({count}) => count > 0).map(({name}) => name)).toSatisfy((names: string[]) =>
      names.every(name => name.startsWith('CCCL:')),
    );
    const [first] = rangeRows(trace, 'instance', {selection: {range: 'cub::DeviceReduce::Sum@CCCL/0'}});
    expect(first?.gpuWorkNs).toBeGreaterThan(0);
  });
});
