import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {SourceClient} from '../../src/engine/source-client.js';
import type {ReadFile} from '../../src/protocol/source-messages.js';
import {project} from '../support/project.js';

const worker = join(project, 'dist', 'sources.cjs');

describe('SourceClient.read(paths, take)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-sources-'));
  let client: SourceClient;
  beforeAll(() => {
    client = new SourceClient(worker);
    writeFileSync(join(folder, 'a.py'), 'from torch.profiler import record_function\nrecord_function("a")\n');
    writeFileSync(join(folder, 'b.cu'), 'void f() { nvtxRangePushA("b"); }\n');
    writeFileSync(join(folder, 'c.py'), 'class C(nn.Module):\n  def forward(self): pass\n');
    writeFileSync(join(folder, 'long.py'), `record_function("long")\n${'#'.repeat(5 << 20)}`);
    mkdirSync(join(folder, 'folder.py'));
  });
  afterAll(async () => {
    await client.dispose();
    rmSync(folder, {recursive: true});
  });

  async function read(names: readonly string[]): Promise<ReadFile[]> {
    const files: ReadFile[] = [];
    const paths = names.map(name => join(folder, name));
    await client.read(paths, some => files.push(...some));
    expect(files.map(({path}) => path)).toEqual(paths);
    return files;
  }

  it('reports what is in each file, in their order', async () => {
    const files = await read(['a.py', 'b.cu', 'c.py']);
    expect(files.map(({contents}) => contents)).toMatchObject([
      {tags: [{pattern: ['a'], line: 2}], modules: []},
      {tags: [{pattern: ['b'], line: 1}], modules: []},
      {tags: [], modules: [{className: 'C', line: 2}]},
    ]);
  });

  it('reports nothing of what is gone or is no file, and no tags of a text that nobody wrote', async () => {
    const files = await read(['gone.py', 'folder.py', 'long.py']);
    expect(files.map(({contents}) => contents)).toEqual([null, null, {tags: [], modules: [], compiled: []}]);
  });

  it('reports many files a few at a time', async () => {
    const names = Array.from({length: 60}, () => 'a.py');
    const sizes: number[] = [];
    await client.read(
      names.map(name => join(folder, name)),
      some => sizes.push(some.length),
    );
    expect(sizes).toEqual([10, 10, 10, 10, 10, 10]);
  });

  it('ends early when it is cancelled', async () => {
    const stop = new AbortController();
    let files = 0;
    const paths = Array.from({length: 5000}, () => join(folder, 'a.py'));
    await client.read(
      paths,
      some => {
        files += some.length;
        stop.abort();
      },
      stop.signal,
    );
    expect(files).toBeLessThan(paths.length);
  });

  it('rejects where the worker cannot be started, and starts another for the next', async () => {
    const broken = new SourceClient(join(folder, 'no-worker.cjs'));
    await expect(broken.read([join(folder, 'a.py')], () => undefined)).rejects.toMatchObject({code: 'rpc/closed'});
    await broken.dispose();
    await client.dispose();
    expect(await read(['a.py'])).toHaveLength(1);
  });
});
