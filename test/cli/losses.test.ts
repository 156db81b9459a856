import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeTwoKernels} from '../support/two-kernels.js';

const folder = temporaryFolder();
const whole = writeTwoKernels(folder);
const cut = join(folder, 'cut.json');
writeFileSync(cut, readFileSync(whole, 'utf8').replace(/\]\s*[^\]]*$/, ', {"ph":"X","na'));
const note = 'cut.json: The file is cut off. GPU Lens shows the events before the cut.';

describe('a profile that is cut off', () => {
  it.each([
    [['query', cut, 'SELECT count(*) FROM kernels']],
    [['findings', cut]],
    [['findings', cut, '--device', '0']],
    [['compare', cut, whole]],
    [['compare', whole, cut]],
    [['whatif', cut, '--no-keep']],
    [['critical-path', cut]],
    [['job', cut]],
    [['summarize', cut, '-o', join(folder, 'cut.parquet')]],
    [['report', cut, '-o', join(folder, 'cut.md')]],
  ])('%j: says so once on standard error, and nothing with --quiet', args => {
    const {status, stderr} = run(...args);
    expect(status).toBe(0);
    expect(stderr.split(note)).toHaveLength(2);
    expect(run(...args, '--quiet').stderr).not.toContain('in the middle');
  });

  it.each([['info'], ['ranges'], ['flame'], ['stats', '-r', 'cuda_gpu_kern_sum']])(
    '%s shows it among its other notes, once',
    (command, ...rest) => {
      const {stdout, stderr} = run(command, cut, ...rest);
      expect(`${stdout}${stderr}`.split('The file is cut off')).toHaveLength(2);
    },
  );

  it.each(['json', 'csv', 'markdown'])('ranges --format %s says so on standard error', format => {
    const {status, stderr} = run('ranges', cut, '--format', format);
    expect([status, stderr]).toEqual([0, expect.stringContaining('The file is cut off')]);
    expect(run('ranges', whole, '--format', format).stderr).toBe('');
  });

  it('is told by its name as a further rank of stats, whatever the format', () => {
    const rank = (number: number, text: string, name: string) => {
      const path = join(folder, `rank${String(number)}`, name);
      mkdirSync(dirname(path));
      writeFileSync(path, text.replace('{', `{"distributedInfo": {"rank": ${String(number)}, "world_size": 2},`));
      return path;
    };
    const first = rank(0, readFileSync(whole, 'utf8'), 'whole.json');
    const second = rank(1, readFileSync(cut, 'utf8'), 'cut.json');
    for (const format of ['table', 'json']) {
      const {status, stderr} = run('stats', first, second, '-r', 'rank_sum', '--format', format);
      expect([status, stderr.split(note).length]).toEqual([0, 2]);
    }
  });

  it('is a reason in a comparison', () => {
    const {comparable} = JSON.parse(run('compare', cut, whole, '--format', 'json').stdout) as {
      comparable: {reasons: readonly object[]};
    };
    expect(comparable.reasons).toContainEqual(expect.objectContaining({code: 'left-out', base: 'file/truncated'}));
  });

  it('memory says so, too', () => {
    const memory = join(folder, 'memory.json');
    const event = (ts: number, bytes: number) => ({
      ...{ph: 'i', cat: 'cpu_instant_event', name: '[memory]', pid: 1, tid: 1, s: 't', ts},
      args: {'Device Type': 1, 'Device Id': 0, Addr: 64, Bytes: bytes, 'Total Allocated': 512, 'Total Reserved': 512},
    });
    writeFileSync(memory, `{"schemaVersion": 1, "traceEvents": [${JSON.stringify(event(10, 512))}, {"ph`);
    const {status, stderr} = run('memory', memory);
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining('Note: memory.json: The file is cut off') as string,
    });
  });
});

it('a whole profile needs no such note', () => {
  const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
  expect(run('query', sample, 'SELECT 1').stderr).toBe('');
});
