import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {liveRows} from '../../../src/core/memory-snapshot/live-rows.js';
import {replayDevice} from '../../../src/core/memory-snapshot/replay.js';
import {readMemorySnapshot} from '../../../src/importers/pickle/read-memory-snapshot.js';
import {expectSame} from '../../support/expect-same.js';
import {formatBytesOfTorch} from '../../support/torch-bytes.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {project, temporaryFolder} from '../../support/project.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
const hasTorch = spawnSync(python, ['-c', 'import torch.cuda._memory_viz']).status === 0;
if (!hasTorch) console.warn(`Not compared with a replay in Python: ${python} has no torch.`);

const files = dataFiles('memory', '.pickle');
const folder = temporaryFolder();

/** What replay_snapshot.py writes of a snapshot. */
interface Oracle {
  readonly events: number;
  readonly peak: readonly [moment: number, allocatedBytes: number, reservedBytes: number];
  readonly end: readonly [allocatedBytes: number, reservedBytes: number];
  readonly moments: readonly {
    readonly moment: number;
    readonly totals: readonly [number, number];
    readonly rows: readonly (readonly [string | null, number | null, string | null, number, number])[];
  }[];
  readonly viz: {readonly allocatedBytes: number; readonly summary: readonly string[]};
}

/** Oracles by path: each takes an import of torch. */
const oracles = new Map<string, Oracle>();

function oracleOf(path: string): Oracle {
  const known = oracles.get(path) ?? askPython(path);
  oracles.set(path, known);
  return known;
}

function askPython(path: string): Oracle {
  const script = join(project, 'test', 'importers', 'pickle', 'replay_snapshot.py');
  const {stdout, stderr} = spawnSync(python, [script, path], {
    encoding: 'utf8',
    input: JSON.stringify({moments: 100, seed: 7}),
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Oracle;
}

describe.skipIf(!hasTorch || files.length === 0)('real snapshots', () => {
  itEachFile(files)('$name has the peak, the end and 101 moments of a replay in Python', async ({path}) => {
    const oracle = oracleOf(path);
    const snapshot = await readMemorySnapshot(path);
    const memory = replayDevice(snapshot, 0);
    const totals = (moment: number) => [memory.allocatedBytes[moment], memory.reservedBytes[moment]];
    expect(memory.notes).toEqual([]);
    expect(memory.eventCount).toBe(oracle.events);
    expect([memory.peakMoment, ...totals(memory.peakMoment)]).toEqual(oracle.peak);
    expect(totals(memory.eventCount)).toEqual(oracle.end);
    expect(oracle.moments).toHaveLength(101);
    for (const {moment, totals: expected, rows} of oracle.moments) {
      expect(totals(moment)).toEqual(expected);
      const ours = liveRows(snapshot, memory, moment, 'line');
      const asArrays = ours.map(row => [row.file, row.line, row.function, row.bytes, row.blocks]);
      expect(sorted(asArrays)).toEqual(sorted(rows));
      for (const by of ['line', 'stack', 'segment'] as const) {
        const sum = liveRows(snapshot, memory, moment, by).reduce((bytes, row) => bytes + row.bytes, 0);
        expect(sum).toBe(expected[0]);
      }
    }
  });

  itEachFile(files)('$name ends as torch’s own viewer shows it', async ({path}) => {
    const {viz} = oracleOf(path);
    const memory = replayDevice(await readMemorySnapshot(path), 0);
    const allocated = memory.allocatedBytes.at(-1) ?? 0;
    expect(allocated).toBe(viz.allocatedBytes);
    expect(viz.summary).toEqual([
      `total_reserved: ${formatBytesOfTorch(memory.reservedBytes.at(-1) ?? 0)}`,
      `total_allocated: ${formatBytesOfTorch(allocated)}`,
    ]);
  });

  it.each(['2', '3', '5'])('a snapshot that Python writes with protocol %s is read the same', async protocol => {
    for (const {path, name} of files) {
      const copy = join(folder, `${protocol}-${name}`);
      const code = 'import pickle,sys; p,q,n=sys.argv[1:]; pickle.dump(pickle.load(open(p,"rb")),open(q,"wb"),int(n))';
      expect(spawnSync(python, ['-c', code, path, copy, protocol]).status).toBe(0);
      expectSame(await readMemorySnapshot(copy), await readMemorySnapshot(path));
    }
  });
});

function sorted(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map(row => JSON.stringify(row)).sort();
}
