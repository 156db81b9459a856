import {cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {openPromise} from 'yauzl';
import {beforeAll, describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';

interface Row {
  readonly file: string;
  readonly path: string | null;
}

/** The files of a zip, by their names in it. */
async function filesOf(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, {lazyEntries: true, strictFileNames: true});
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    files.set(entry.fileName, Buffer.concat(parts));
  }
  return files;
}

/** Unpacks a zip into a new folder, and returns it. */
async function unpacked(path: string): Promise<string> {
  const folder = temporaryFolder();
  for (const [name, bytes] of await filesOf(path)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

describe('a bundle of a recorded profile and its sources', () => {
  const sample = join(temporaryFolder(), 'sample');
  cpSync(join(project, 'media', 'sample'), sample, {recursive: true});
  const profile = join(sample, 'profile', 'train.pt.trace.json.gz');
  const zip = join(temporaryFolder(), 'step.zip');
  const options = ['--to', 'pytorch', '--step', '2', '--source', sample, '-o', zip];
  let written: ReturnType<typeof run>;
  beforeAll(() => {
    written = run('export', profile, ...options);
  });

  it('has the profile, what says where its ranges were opened, and the sources with figures alone', async () => {
    expect(written.status).toBe(0);
    expect(written.stderr).toContain(
      'The bundle has step.pt.trace.json.gz and 2 source files (model.py, train.py): unpack it, and open the folder.',
    );
    const files = await filesOf(zip);
    expect([...files.keys()].sort()).toEqual(['model.py', 'step.meta.json', 'step.pt.trace.json.gz', 'train.py']);
    expect(files.get('model.py')).toEqual(readFileSync(join(sample, 'model.py')));
  });

  it('has the figures of the step on the lines where it was unpacked', async () => {
    const folder = await unpacked(zip);
    const lines = ['--step', '2', '--by', 'line', '--format', 'json'];
    const here = run('ranges', join(folder, 'step.pt.trace.json.gz'), ...lines, '--source', folder);
    const there = run('ranges', profile, ...lines, '--source', sample);
    // The whole profile has several paths to a line; the part has those of its step.
    const parsed = (text: string) => (JSON.parse(text) as Row[]).map(row => ({...row, path: null}));
    const rows = parsed(here.stdout);
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map(({file}) => file))).toEqual(new Set(['model.py', 'train.py']));
    expect(rows).toEqual(parsed(there.stdout));
  });

  it('says neither the commit nor the time of the recording', async () => {
    const meta = JSON.parse((await filesOf(zip)).get('step.meta.json')?.toString() ?? '') as object;
    expect(Object.keys(meta).sort()).toEqual(
      ['compiledCalls', 'compiledKernels', 'files', 'kind', 'lines', 'modules', 'python'].concat([
        'script',
        'sites',
        'steps',
        'torch',
        'version',
        'why',
      ]),
    );
  });
});

describe('a bundle of a profile whose sidecar names what it likes', () => {
  it('has sources below the folder alone: no secret, no link that leads out, no file elsewhere', async () => {
    const outside = temporaryFolder();
    const folder = temporaryFolder();
    writeFileSync(join(outside, 'other.py'), 'secret = 1\n');
    writeFileSync(join(folder, '.env'), 'KEY=1\n');
    writeFileSync(join(folder, 'own.py'), 'x = 1\n');
    symlinkSync(join(outside, 'other.py'), join(folder, 'link.py'));
    const trace = join(folder, 'run.pt.trace.json');
    const files = ['own.py', '.env', 'link.py', join(outside, 'other.py'), '../other.py'];
    writeFileSync(trace, kinetoText(files.map((_, at) => kineto.range(`range ${String(at)}`, at * 10, 5))));
    const sites = files.map((file, at) => ({name: `range ${String(at)}`, file, line: 1, count: 1}));
    writeFileSync(join(folder, 'run.meta.json'), JSON.stringify({sites}));
    const zip = join(folder, 'out.zip');
    expect(run('export', trace, '--to', 'perfetto', '--source', folder, '-o', zip).status).toBe(0);
    const bundled = await filesOf(zip);
    expect([...bundled.keys()].sort()).toEqual(['out.perfetto.json.gz', 'out.perfetto.meta.json', 'own.py']);
    const meta = JSON.parse(bundled.get('out.perfetto.meta.json')?.toString() ?? '') as {sites: {file: string}[]};
    expect(meta.sites.map(({file}) => file)).toEqual(['own.py']);
  });

  it.each([
    [['--to', 'csv', '--source', '.', '-o', 'a.zip'], '--source goes with --to pytorch or perfetto.'],
    [['--to', 'pytorch', '--source', '.', '-o', 'a.json'], 'With --source the output is a zip: -o OUT.zip.'],
    [['--to', 'pytorch', '-o', 'a.zip'], 'name their folder by --source DIR.'],
    [['--to', 'pytorch', '--names', 'hash', '--source', '.', '-o', 'a.zip'], 'it takes no --names.'],
  ])('%j is refused', (options, sentence) => {
    const folder = temporaryFolder();
    const trace = join(folder, 'run.json');
    writeFileSync(trace, kinetoText([kineto.range('step', 0, 5)]));
    const {status, stderr} = run('export', trace, ...options);
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
    expect(existsSync('a.zip')).toBe(false);
  });
});
