import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {liveRows} from '../../../src/core/memory-snapshot/live-rows.js';
import {memoryReport} from '../../../src/core/memory-snapshot/memory-report.js';
import {replayDevice, snapshotDevices} from '../../../src/core/memory-snapshot/replay.js';
import {readMemorySnapshot} from '../../../src/importers/pickle/read-memory-snapshot.js';
import {project, temporaryFolder} from '../../support/project.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
const hasPython = spawnSync(python, ['--version']).status === 0;
if (!hasPython) console.warn(`Not compared with a simulated allocator: ${python} does not run.`);

/** What make_snapshots.py knows of a device, because it simulated it forwards. */
interface Truth {
  readonly allocated: readonly number[];
  readonly reserved: readonly number[];
  readonly lines: readonly (readonly [line: number | null, bytes: number])[];
}

describe.skipIf(!hasPython)('snapshots of a simulated allocator', () => {
  it.each([1, 2, 3])('have what it held at every moment, in every shape and protocol (seed %d)', async seed => {
    const folder = temporaryFolder();
    const script = join(project, 'test', 'importers', 'pickle', 'make_snapshots.py');
    const {stdout, stderr} = spawnSync(python, [script, folder, String(seed)], {encoding: 'utf8'});
    expect(stderr).toBe('');
    const truths = JSON.parse(stdout) as Record<string, readonly Truth[]>;
    expect(Object.keys(truths)).toHaveLength(9);
    for (const [name, devices] of Object.entries(truths)) {
      const snapshot = await readMemorySnapshot(join(folder, `${name}.pickle`));
      expect([name, snapshotDevices(snapshot)]).toEqual([name, [0, 1]]);
      for (const [device, truth] of devices.entries()) {
        const memory = replayDevice(snapshot, device);
        expect(memory.notes).toEqual([]);
        expect([name, ...memory.allocatedBytes]).toEqual([name, ...truth.allocated]);
        expect([name, ...memory.reservedBytes]).toEqual([name, ...truth.reserved]);
        const peak = Math.max(...truth.allocated);
        const report = memoryReport(snapshot, {device, at: 'peak', by: 'line'});
        const event = truth.allocated.indexOf(peak) - 1;
        expect(report?.peak).toMatchObject({allocatedBytes: peak, event: event < 0 ? null : event});
        const lines = liveRows(snapshot, memory, memory.eventCount, 'line').map(row => [row.line, row.bytes]);
        expect([name, ...sorted(lines)]).toEqual([name, ...sorted(truth.lines)]);
      }
    }
  });
});

function sorted(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map(row => JSON.stringify(row)).sort();
}
