import {copyFile, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {operationOrigins} from '../../src/core/figures/operation-origins.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {automaticRanges} from '../../src/core/source/automatic-ranges.js';
import {taggedRangeKinds} from '../../src/core/trace/slices.js';
import {parseSidecar} from '../../src/core/source/sidecar.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {exportedPart} from '../../src/importers/exported-part.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {TraceCache} from '../../src/importers/trace-cache.js';

const fixture = join(root, 'test', 'fixtures', 'graphs');
const profile = 'train_graph.pt.trace.json.gz';
const capture = 'train_graph.capture.pt.trace.json.gz';
const sidecar = 'train_graph.meta.json';

const nameOf = ({slices, strings}: Trace, row = -1): string => (row < 0 ? '' : strings.get(slices.name[row] ?? -1));

/** GPU operation → its own name, and that of its operator. */
function operations(trace: Trace): {name: string; operator: string}[] {
  const {operator} = operationOrigins(trace);
  return Array.from(trace.gpuOperations.slice, (row, at) => ({
    name: nameOf(trace, row),
    operator: nameOf(trace, operator[at]),
  }));
}

describe('a profile whose recorder saw its graph captured', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gpu-lens-capture-'));
    await copyFile(join(fixture, profile), join(folder, profile));
  });
  afterAll(() => rm(folder, {recursive: true}));

  /** The profile beside a sidecar that names a capture. */
  async function opened(named: unknown): Promise<Trace> {
    const text = JSON.parse(await readFile(join(fixture, sidecar), 'utf8')) as object;
    await writeFile(join(folder, sidecar), JSON.stringify({...text, capture: named}));
    return openTrace(join(folder, profile));
  }

  it('has the operator of each kernel that was replayed', async () => {
    const trace = await openTrace(join(fixture, profile));
    expect(trace.notes.map(({code}) => code)).toContain('capture/matched');
    const found = operations(trace);
    // What a kernel's name says of its operator, which the match does not look at: captured calls have no kernel.
    const told: readonly (readonly [RegExp, RegExp])[] = [
      [/fused_dropout/, /^aten::native_dropout$/],
      [/masked_scale/, /^aten::native_dropout_backward$/],
      [/mse_kernel/, /^aten::mse_loss$/],
      [/mse_backward/, /^aten::mse_loss_backward$/],
      [/gemm/, /^aten::(addmm|mm)$/],
      [/multi_tensor_apply/, /^aten::_foreach_/],
    ];
    for (const [kernel, operator] of told) {
      const some = found.filter(({name}) => kernel.test(name));
      expect(some.length, String(kernel)).toBeGreaterThan(0);
      for (const one of some) expect(one.operator, one.name).toMatch(operator);
    }
  });

  it('has the work of the lines that were captured, in every step', async () => {
    const trace = await openTrace(join(fixture, profile));
    const told = parseSidecar(await readFile(join(fixture, sidecar), 'utf8'));
    const rows = rangeRows(trace, 'name', {
      kinds: [...taggedRangeKinds, 'module'],
      operators: [...automaticRanges(told).keys()],
    });
    const workOf = (name: string) => {
      const row = rows.find(range => range.name === name);
      return row ? row.gpuWorkNs + row.backwardGpuWorkNs : NaN;
    };
    // The model, the loss, backward's own work, and the optimizer.
    const lines = [24, 25, 26, 27].map(line => `train_graph.py:${String(line)}`);
    expect(lines.map(name => rows.find(row => row.name === name)?.count)).toEqual([3, 3, 3, 3]);
    expect(workOf('train_graph.py:24')).toBe(workOf('nn.Module: Sequential'));
    expect(workOf('train_graph.py:25')).toBe(workOf('nn.Module: MSELoss'));
    // The loop that replays has the work of them all, of its copies, and of the seeds that the graph is given.
    const loop = rows.find(({name}) => name === 'train_graph.py:28');
    const copies = [29, 30].map(line => workOf(`train_graph.py:${String(line)}`));
    const parts = [...lines.map(workOf), ...copies, loop?.gpuSelfNs ?? NaN];
    expect(workOf('train_graph.py:28')).toBe(parts.reduce((sum, ns) => sum + ns));
  });

  it('can be opened without it', async () => {
    const trace = await openTrace(join(fixture, profile), {withoutCapture: true});
    expect(operations(trace).filter(({operator}) => operator.startsWith('aten::_foreach_'))).toEqual([]);
    expect(trace.notes.map(({code}) => code)).not.toContain('capture/matched');
  });

  it('is read anew from the cache when its capture appears', async () => {
    const cache = new TraceCache({folder: join(folder, 'cache'), limitBytes: 1e9}, 'test');
    const alone = await opened(capture);
    const {signal} = new AbortController();
    const path = join(folder, profile);
    const found = await cache.open(path);
    expect(await cache.keep(path, found, {}, signal)).toBe(true);
    expect((await cache.open(path)).isFromCache).toBe(true);
    await copyFile(join(fixture, capture), join(folder, capture));
    const matched = await cache.open(path);
    await rm(join(folder, capture));
    expect([matched.isFromCache, matched.trace.capturedCalls.length > 0]).toEqual([false, true]);
    expect(alone.capturedCalls.length).toBe(0);
  });

  it('is written as it was recorded, so that a copy has the figures of its launches', async () => {
    const path = join(fixture, profile);
    const wanted = {selection: {}, to: 'pytorch', names: 'keep'} as const;
    const {parts, notes} = await exportedPart(path, await openTrace(path), wanted, {});
    const copy = join(folder, 'copy.pt.trace.json');
    await writeFile(copy, Buffer.concat(Array.from(parts, part => Buffer.from(part))));
    const rows = rangeRows(await openTrace(copy), 'name');
    expect(rows).toEqual(rangeRows(await openTrace(path, {withoutCapture: true}), 'name'));
    expect(notes).toEqual([expect.stringContaining('What graphs replay has its launch in the file')]);
  });

  it('tells why a capture cannot be used', async () => {
    const trace = await opened(capture);
    expect(trace.notes.find(({code}) => code === 'run/capture-unused')?.text).toMatch(
      /^The work that graphs replayed has no operators, modules or lines: .*train_graph\.capture\.pt\.trace\.json\.gz/,
    );
  });

  it.each([null, 7, `../${capture}`, '', '..'])('reads no file for the name %j', async named => {
    const trace = await opened(named);
    expect(trace.notes.map(({code}) => code).filter(code => code.includes('capture'))).toEqual([]);
  });
});
