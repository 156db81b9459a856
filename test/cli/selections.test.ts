import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {dataFolder, hasData} from '../support/real-data.js';

const steps = join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz');

interface RangeFigures {
  readonly name: string;
  readonly gpuWorkNs: number;
  readonly backwardGpuWorkNs: number;
}

/** What a command prints as JSON, whatever it notes besides. */
function printed(...args: string[]): unknown {
  const {status, stdout} = run(...args, '--format', 'json');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

describe.skipIf(!hasData)('--pass', () => {
  const workNs = (...args: string[]) =>
    (printed('stats', steps, '-r', 'kernel_class_sum', ...args) as Readonly<Record<string, number>>[]).reduce(
      (sum, row) => sum + (row['Total Time (ns)'] ?? NaN),
      0,
    );

  it('makes the kernels of the forward or backward work of a range one call', () => {
    const name = '## forward ##';
    const row = (printed('ranges', steps) as RangeFigures[]).find(range => range.name === name);
    expect(row?.gpuWorkNs).toBeGreaterThan(0);
    expect(row?.backwardGpuWorkNs).toBeGreaterThan(row?.gpuWorkNs ?? NaN);
    const ofRange = ['--filter-nvtx', name];
    const copiesNs = (...args: string[]) =>
      (printed('stats', steps, '-r', 'cuda_gpu_mem_time_sum', ...args) as Readonly<Record<string, number>>[]).reduce(
        (sum, memory) => sum + (memory['Total Time (ns)'] ?? NaN),
        0,
      );
    for (const [pass, expected] of [
      ['forward', row?.gpuWorkNs],
      ['backward', row?.backwardGpuWorkNs],
    ] as const) {
      expect(workNs(...ofRange, '--pass', pass) + copiesNs(...ofRange, '--pass', pass)).toBe(expected);
    }
  });

  it('tells apart all that a call launched, in ranges too', () => {
    expect(workNs('--pass', 'forward') + workNs('--pass', 'backward')).toBe(workNs());
    const forward = printed('ranges', steps, '--pass', 'forward') as RangeFigures[];
    expect(forward.every(row => row.backwardGpuWorkNs === 0)).toBe(true);
    expect(run('ranges', steps, '--pass', 'sideways')).toMatchObject({status: 2});
  });
});

describe.skipIf(!hasData)('ranges --fold --unfold', () => {
  const names = (...args: string[]) => (printed('ranges', steps, ...args) as RangeFigures[]).map(({name}) => name);

  it('shows the names behind one that is folded, and says where there is none', () => {
    const folded = names('--fold').find(name => name.startsWith('ProfilerStep'));
    expect(names('--fold').filter(name => name.startsWith('ProfilerStep'))).toHaveLength(1);
    const unfolded = names('--fold', '--unfold', folded ?? '');
    expect(unfolded.filter(name => name.startsWith('ProfilerStep#10')).length).toBe(5);
    expect(run('ranges', steps, '--fold', '--unfold', 'nothing')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: With --fold this profile has no range "nothing" to unfold.\n',
    });
    expect(run('ranges', steps, '--unfold', 'nothing').status).toBe(2);
  });
});

describe.skipIf(!hasData)('a selection that nothing can match', () => {
  it.each(['stats', 'ranges'])('is refused by %s with what there is', command => {
    expect(run(command, steps, '--device', '99')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: This profile has nothing on device 99; it has device 0.\n',
    });
    expect(run(command, steps, '--stream', '99')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: This profile has nothing on stream 99; it has stream 7.\n',
    });
    const {status, stderr} = run(command, steps, '--from', '5', '--to', '2');
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: `gpu-lens: --from must be less than --to: a window has its end after its start. See gpu-lens ${command} --help.\n`,
    });
  });

  it('is told from a profile that lacks something', () => {
    const {status, stderr} = run('stats', steps, '-r', 'cuda_gpu_kern_sum', '--from', '0', '--to', '1');
    expect(status).toBe(0);
    expect(stderr).toContain('SKIPPED: what was selected of ns-resolution-rank0.json.gz does not contain ');
  });
});

describe.skipIf(!hasData)('stats --format', () => {
  const noted = join(dataFolder, 'nsys', 'cs336-2.7b-a100.sqlite');

  it.each(['csv', 'json', 'table', 'markdown'])('%s tells the notes of a profile apart from its data', format => {
    const notes = run('stats', noted, '-r', 'cuda_gpu_kern_sum').stderr;
    expect(notes).toMatch(/^Note: /m);
    const {stdout, stderr} = run('stats', noted, '-r', 'cuda_gpu_kern_sum', '--format', format);
    expect(stderr).toBe(notes);
    expect(stdout).not.toContain('Note: ');
  });
});

describe.skipIf(!hasData)('ranges --all-figures', () => {
  it('puts its figures behind those of the contract', () => {
    const [usual = {}] = printed('ranges', steps) as Record<string, unknown>[];
    const [all = {}] = printed('ranges', steps, '--all-figures') as Record<string, unknown>[];
    const keys = Object.keys(usual);
    expect(Object.keys(all).slice(0, keys.length)).toEqual(keys);
    expect(Object.keys(all).slice(keys.length)).toEqual([
      'countWithWork',
      'cpuSelfNs',
      'cpuBlockedNs',
      'gpuTailNs',
      'backwardGpuBusyNs',
      'recomputeGpuWorkNs',
    ]);
    // Autograd's work is on one stream, so its union is its sum.
    expect(all).toMatchObject({name: '## forward ##', countWithWork: 5, backwardGpuBusyNs: usual['backwardGpuWorkNs']});
    expect(all['gpuTailNs']).toBeGreaterThan(0);
    expect(all['cpuSelfNs']).toBeLessThan(usual['cpuWallNs'] as number);
  });
});
