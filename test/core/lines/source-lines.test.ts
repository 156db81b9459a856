import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isUserFrame, operationOrigins} from '../../../src/core/figures/operation-origins.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {sourceLines} from '../../../src/core/lines/source-lines.js';
import {stepScope} from '../../../src/core/scope/step-scope.js';
import {classesOfModules} from '../../../src/core/source/module-forward.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

describe('sourceLines(trace)', () => {
  it('counts an operation once per line, and for itself on the innermost line of the user’s', async () => {
    const trace = await traceOfEvents([
      kineto.python('train.py(20): <module>', 0, 100),
      kineto.python('net.py(3): walk', 5, 90),
      kineto.python('net.py(3): walk', 10, 80),
      kineto.python('torch/nn/functional.py(8): linear', 20, 60),
      kineto.call(1, 30, 5),
      kineto.kernel(1, 200, 40),
      kineto.call(2, 92, 2),
      kineto.kernel(2, 300, 7),
      kineto.call(3, 150, 2),
      kineto.kernel(3, 400, 1),
    ]);
    const {lines, allGpuWorkNs, steps} = sourceLines(trace);
    expect(lines).toMatchObject([
      {file: 'train.py', line: 20, functions: ['<module>'], count: 1, gpuWorkNs: 47_000, gpuSelfNs: 0, operations: 2},
      {file: 'net.py', line: 3, functions: ['walk'], count: 2, gpuWorkNs: 47_000, gpuSelfNs: 47_000, operations: 2},
    ]);
    expect([allGpuWorkNs, steps]).toEqual([48_000, 0]);
  });

  it('sums over the steps where there are any', async () => {
    const trace = await traceOfEvents([
      kineto.range('ProfilerStep#4', 100, 50),
      ...[10, 110].flatMap((at, launch) => [
        kineto.python('train.py(1): step', at, 30),
        kineto.call(launch + 1, at + 5, 5),
        kineto.kernel(launch + 1, at + 8, 9),
      ]),
    ]);
    expect(sourceLines(trace)).toMatchObject({steps: 1, allGpuWorkNs: 9000, lines: [{count: 1, gpuWorkNs: 9000}]});
    expect(sourceLines(trace, 'profile')).toMatchObject({
      steps: 0,
      allGpuWorkNs: 18_000,
      lines: [{count: 2, gpuWorkNs: 18_000}],
    });
  });

  it('puts the modules of a class together', async () => {
    const trace = await traceOfEvents([
      kineto.python('nn.Module: Block_0', 0, 100),
      kineto.python('nn.Module: Block_1', 10, 50),
      kineto.python('nn.Module: Linear_0', 20, 30),
      kineto.call(1, 30, 5),
      kineto.kernel(1, 200, 40),
    ]);
    expect(sourceLines(trace).modules).toMatchObject([
      {className: 'Block', modules: 2, count: 2, gpuWorkNs: 40_000, gpuSelfNs: 0},
      {className: 'Linear', modules: 1, count: 1, gpuWorkNs: 40_000, gpuSelfNs: 40_000},
    ]);
  });

  it('puts modules that the runner named by their place together by what it says of them', async () => {
    const trace = await traceOfEvents([
      kineto.python('nn.Module: Net', 0, 100),
      kineto.python('nn.Module: Net.layers.0', 10, 30),
      kineto.python('nn.Module: Net.layers.1', 50, 30),
      kineto.call(1, 12, 5),
      kineto.kernel(1, 200, 40),
      kineto.call(2, 52, 5),
      kineto.kernel(2, 300, 4),
    ]);
    const classes = classesOfModules([
      {name: 'Net', class: 'model.Net'},
      {name: 'Net.layers.0', class: 'model.Outer.Block'},
      {name: 'Net.layers.1', class: 'model.Outer.Block'},
    ]);
    expect(sourceLines(trace, 'steps', classes).modules).toMatchObject([
      {className: 'Net', modules: 1, gpuWorkNs: 44_000, gpuSelfNs: 0},
      {className: 'Block', modules: 2, count: 2, gpuWorkNs: 44_000, gpuSelfNs: 44_000},
    ]);
    expect(sourceLines(trace).modules).toHaveLength(3);
  });

  it('is empty without stacks', async () => {
    const trace = await traceOfEvents([kineto.call(1, 30, 5), kineto.kernel(1, 200, 40)]);
    expect(sourceLines(trace)).toMatchObject({lines: [], modules: [], allGpuWorkNs: 40_000});
  });
});

const at = (column: ArrayLike<number>, row: number) => column[row] ?? 0;
const endOf = ({slices}: Trace, row: number) => at(slices.startNs, row) + at(slices.durationNs, row);

/** Line → work, the slow way: every frame of the user's is held against every launch. */
function slowly(trace: Trace): Map<string, number> {
  const {slices, gpuOperations} = trace;
  const {sites, credit} = attributionOf(trace);
  const nameOf = (row: number) => trace.strings.get(at(slices.name, row));
  const frames = Array.from({length: slices.length}, (_, row) => row).filter(
    row => slices.kind[row] === kindIndex.python_function && isUserFrame(nameOf(row)),
  );
  const around = (row: number) =>
    frames.filter(
      frame =>
        at(slices.track, frame) === at(slices.track, row) &&
        at(slices.startNs, frame) <= at(slices.startNs, row) &&
        endOf(trace, row) <= endOf(trace, frame),
    );
  const works = new Map<string, number>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = at(sites.siteOf, operation);
    if (site < 0) continue;
    const forward = at(credit.forwardSlice, site);
    const found = [...around(at(sites.slice, site)), ...(forward >= 0 ? around(forward) : [])];
    const durationNs = at(slices.durationNs, at(gpuOperations.slice, operation));
    for (const line of new Set(found.map(row => nameOf(row).replace(/\): .*$/, '')))) {
      works.set(line, (works.get(line) ?? 0) + durationNs);
    }
  }
  return works;
}

describe.skipIf(!hasData)('the lines of real profiles with stacks', () => {
  it.each(['bert-small-h100', 'qwen1.5-0.5b-h100', 'train-resnet18-ddp-mi300'])(
    '%s: equal what is counted frame by frame, and add up to all GPU work',
    async name => {
      const trace = await openTrace(join(dataFolder, 'kineto', `${name}.json.gz`));
      const {lines, modules, allGpuWorkNs} = sourceLines(trace, 'profile');
      const works = lines
        .filter(({operations}) => operations > 0)
        .map((line): [string, number] => [
          `${line.file}(${String(line.line)}`,
          line.gpuWorkNs + line.backwardGpuWorkNs,
        ]);
      expect(new Map(works)).toEqual(slowly(trace));
      const origins = operationOrigins(trace);
      const {slices, gpuOperations} = trace;
      for (const [places, origin] of [
        [lines, origins.frame],
        [modules, origins.module],
      ] as const) {
        const selfNs = places.reduce((sum, place) => sum + place.gpuSelfNs + place.backwardGpuSelfNs, 0);
        const otherNs = origin.reduce(
          (sum, row, operation) => (row < 0 ? sum + at(slices.durationNs, at(gpuOperations.slice, operation)) : sum),
          0,
        );
        expect(selfNs + otherNs).toBe(allGpuWorkNs);
      }
      expect(modules.length).toBeGreaterThan(0);
      if (stepScope(trace).numbers.length > 0) expect(sourceLines(trace).allGpuWorkNs).toBe(stepScope(trace).workNs);
    },
  );
});
