import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {modelTrace} from '../support/model-trace.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const trace = join(folder, 'model.json');
const {traceEvents, ...members} = JSON.parse(modelTrace(2, 3)) as {traceEvents: {args?: object}[]};
writeFileSync(
  trace,
  JSON.stringify({
    ...{...members, hostname: 'secret-host', traceName: '/home/secret/x.json', environment: {TOKEN: 'secret'}},
    traceEvents: traceEvents.map(event => ({...event, args: {...event.args, file: '/home/secret/train.py'}})),
  }),
);

function selfNs(file: string): number[] {
  const rows = JSON.parse(run('ranges', file, '--format', 'json').stdout) as {gpuSelfNs: number}[];
  return rows.map(row => row.gpuSelfNs).sort((a, b) => a - b);
}

describe('gpu-lens export --names', () => {
  it.each(['perfetto', 'pytorch', 'csv'])('hides names, paths and arguments in %s, and tells them apart', to => {
    const [first, second] = ['a', 'b'].map(name => {
      const out = join(folder, `${name}.${to}`);
      expect(run('export', trace, '--to', to, '--names', 'hash', '-o', out)).toMatchObject({status: 0});
      return readFileSync(out, 'utf8');
    });
    const names = (JSON.parse(run('ranges', trace, '--format', 'json').stdout) as {name: string}[])
      .map(({name}) => name)
      .filter(name => !name.startsWith('(') && !name.startsWith('ProfilerStep#'));
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter(name => first?.includes(name))).toEqual([]);
    expect(first).not.toContain('secret');
    // Each file has a key of its own.
    expect(first).not.toBe(second);
    if (to !== 'csv') expect(selfNs(join(folder, `a.${to}`))).toEqual(selfNs(trace));
  });

  it('has no host or environment in a part whose names are kept', () => {
    const out = join(folder, 'kept.json');
    run('export', trace, '--to', 'pytorch', '--step', '1', '-o', out);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('/home/secret/train.py');
    expect(text).not.toMatch(/secret-host|TOKEN|x\.json/);
  });

  it('refuses what it cannot hide names in, and other words', () => {
    const out = join(folder, 'never.html');
    const refused = run('export', trace, '--to', 'html', '--names', 'drop', '-o', out);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--names hides names in')]);
    expect(run('export', trace, '--to', 'csv', '--names', 'some', '-o', out).status).toBe(2);
  });
});
