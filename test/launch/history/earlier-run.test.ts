import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {earlierTrace} from '../../../src/launch/history/earlier-run.js';
import {createRunFolder} from '../../../src/launch/run/run-folder.js';
import {temporaryFolder} from '../../support/project.js';

describe('earlierTrace(trace)', () => {
  const folder = temporaryFolder();
  const file = 'train.pt.trace.json.gz';

  async function run(script: string, at: string, hasTrace = true): Promise<string> {
    const {path} = await createRunFolder(join(folder, '.gpu-lens'), script, new Date(at));
    if (hasTrace) writeFileSync(join(path, file), '');
    return join(path, file);
  }

  it('is that of the last run of the script before, whichever that is', async () => {
    const first = await run('train.py', '2026-11-21T20:00:00Z');
    const second = await run('train.py', '2026-11-21T20:00:00Z');
    await run('other.py', '2026-11-21T20:01:00Z');
    await run('train.py', '2026-11-21T20:02:00Z', false);
    const third = await run('train.py', '2026-11-21T20:03:00Z');
    const later = await run('train.py', '2026-11-21T20:04:00Z');
    expect(await earlierTrace(first)).toBeNull();
    expect(await earlierTrace(second)).toBe(first);
    expect(await earlierTrace(third)).toBe(second);
    expect(await earlierTrace(later)).toBe(third);
  });

  it('is that of the same script, where the runner has told which', async () => {
    const of = async (script: string | null, at: string) => {
      const trace = await run('main.py', at);
      const sidecar = JSON.stringify({sites: [], ...(script !== null && {script})});
      writeFileSync(trace.replace('.pt.trace.json.gz', '.meta.json'), sidecar);
      return trace;
    };
    const mnist = await of('mnist/main.py', '2026-11-21T21:00:00Z');
    const imagenet = await of('imagenet/main.py', '2026-11-21T21:01:00Z');
    await of(null, '2026-11-21T21:02:00Z');
    const again = await of('mnist/main.py', '2026-11-21T21:03:00Z');
    expect(await earlierTrace(imagenet)).toBeNull();
    expect(await earlierTrace(again)).toBe(mnist);
  });

  it('is null for a trace that is of no run', async () => {
    mkdirSync(join(folder, 'elsewhere'));
    expect(await earlierTrace(join(folder, 'elsewhere', file))).toBeNull();
    expect(await earlierTrace(join(folder, 'gone', '20261121-200000-train', file))).toBeNull();
  });
});
