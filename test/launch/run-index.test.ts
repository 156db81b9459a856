import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {text as texts} from 'node:stream/consumers';
import Database from 'better-sqlite3';
import {afterEach, describe, expect, it} from 'vitest';
import {RunIndex} from '../../src/launch/history/run-index.js';
import {changeRunMark} from '../../src/launch/history/run-mark.js';
import {json, run as cli} from '../support/command-line.js';
import {project, temporaryFolder} from '../support/project.js';

interface Listed {
  readonly folder: string;
  readonly isRunning: boolean;
}

const program = join(import.meta.dirname, '../../dist/cli.cjs');
const opened: RunIndex[] = [];
afterEach(() => {
  for (const index of opened.splice(0)) index.close();
});

function open(output: string): RunIndex {
  const index = new RunIndex(output);
  opened.push(index);
  return index;
}

/** A run's folder as a recording leaves it. */
function record(output: string, at: number, more: object = {}): string {
  const second = String(at).padStart(6, '0');
  const folder = `20260101-${second}-train`;
  const path = join(output, 'runs', folder);
  mkdirSync(path, {recursive: true});
  writeFileSync(join(path, 'train.pt.trace.json'), 'x'.repeat(1000));
  const meta = {
    sites: [],
    steps: 3,
    torch: '2.13.0',
    python: '3.11.7',
    device: 'NVIDIA H100',
    overhead: {plainStepNs: 5e6},
  };
  writeFileSync(join(path, 'train.meta.json'), JSON.stringify(meta));
  const began = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
  const told = {name: 'train', command: ['python', 'train.py'], cwd: '/w', began, ended: began, status: 0};
  const profiles = [{file: 'train.pt.trace.json', kind: 'steps', steps: 3, rank: null}];
  writeFileSync(
    join(path, 'run.json'),
    JSON.stringify({version: 1, ...told, commit: 'abc', dirty: 'd', batch: null, profiles, ...more}),
  );
  return folder;
}

/** How many runs `gpu-lens runs` lists in a process of its own. */
async function listing(output: string): Promise<number> {
  const child = spawn(process.execPath, [program, 'runs', '--output', output, '--format', 'json']);
  const [text] = await Promise.all([texts(child.stdout), once(child, 'exit')]);
  return (JSON.parse(text) as unknown[]).length;
}

describe('the index of runs', () => {
  it('has what the folders say, the latest first', async () => {
    const output = temporaryFolder();
    const [first, second] = [record(output, 1), record(output, 2, {ended: null, status: null})];
    const runs = await open(output).list();
    expect(runs.map(({folder}) => folder)).toEqual([second, first]);
    expect(runs[1]).toMatchObject({
      ...{name: 'train', command: ['python', 'train.py'], status: 0, commit: 'abc', isDirty: true, label: null},
      ...{device: 'NVIDIA H100', torch: '2.13.0', steps: 3, stepNs: 5e6, isPinned: false},
      profiles: [join(output, 'runs', first, 'train.pt.trace.json')],
    });
    expect(runs[0]).toMatchObject({ended: null});
  });

  it('is made anew from the folders if it is missing, damaged, or other folders are there', async () => {
    const output = temporaryFolder();
    record(output, 1);
    const index = open(output);
    const [run] = await index.list();
    await index.mark(run?.folder ?? '', {label: 'base', isPinned: true});
    expect(await index.list()).toMatchObject([{label: 'base', isPinned: true}]);
    index.close();
    opened.pop();
    for (const name of ['runs.sqlite', 'runs.sqlite-wal', 'runs.sqlite-shm']) rmSync(join(output, name), {force: true});
    expect(await open(output).list()).toMatchObject([{label: 'base', isPinned: true}]);
    opened.pop()?.close();
    writeFileSync(join(output, 'runs.sqlite'), 'no database, but long enough to look like one'.repeat(100));
    expect(await open(output).list()).toMatchObject([{label: 'base'}]);
    rmSync(join(output, 'runs', run?.folder ?? ''), {recursive: true});
    expect(await open(output).list()).toEqual([]);
  });

  it('drops secrets of commands that an earlier version kept', async () => {
    const output = temporaryFolder();
    record(output, 1, {command: ['python', 'train.py', '--token', 'hidden']});
    const [known] = await open(output).list();
    opened.pop()?.close();
    const path = join(output, 'runs.sqlite');
    const old = new Database(path);
    old.prepare('update runs set facts = replace(facts, ?, ?)').run('•••', 'hidden');
    old.pragma('user_version = 1');
    old.close();
    expect(readFileSync(path, 'utf8')).toContain('hidden');
    expect(await open(output).list()).toEqual([known]);
    opened.pop()?.close();
    expect(readFileSync(path, 'utf8')).not.toContain('hidden');
    expect(cli('runs', '-o', output).stdout).toContain('--token •••');
  });

  it('is written by two windows at once', async () => {
    const output = temporaryFolder();
    const [one, other] = [open(output), open(output)];
    for (let at = 0; at < 20; at++) record(output, at);
    const [runs, same] = await Promise.all([one.list(), other.list()]);
    expect(runs).toHaveLength(20);
    expect(same).toEqual(runs);
  });

  it('tells the size of a run whose profile grew in place, and prunes by it', async () => {
    const output = temporaryFolder();
    const folder = record(output, 1);
    const index = open(output);
    const [before] = await index.list();
    appendFileSync(join(output, 'runs', folder, 'train.pt.trace.json'), 'y'.repeat(5000));
    const [after] = await index.list();
    expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBe(5000);
    expect(await index.prune((before?.bytes ?? 0) + 4999)).toEqual([folder]);
  });

  it('sees a mark that another window wrote while the clock stood still', async () => {
    const output = temporaryFolder();
    const path = join(output, 'runs', record(output, 1));
    const [index, writer] = [open(output), join(path, 'mark.json.made')];
    const tick = new Date(Date.UTC(2026, 0, 1));
    for (const label of ['one', 'two']) {
      writeFileSync(writer, JSON.stringify({label, isPinned: false}));
      utimesSync(writer, tick, tick);
      renameSync(writer, join(path, 'mark.json'));
      utimesSync(path, tick, tick);
      expect(await index.list()).toMatchObject([{label}]);
    }
  });

  it('keeps both marks of two windows that label and pin a run at once', async () => {
    const output = temporaryFolder();
    const folder = record(output, 1);
    const [one, other] = [open(output), open(output)];
    await Promise.all([one.mark(folder, {label: 'base'}), other.mark(folder, {isPinned: true})]);
    expect(await one.list()).toMatchObject([{label: 'base', isPinned: true}]);
  });

  it('waits for a window that is writing a mark, and keeps it', async () => {
    const output = temporaryFolder();
    const folder = record(output, 1);
    const index = open(output);
    await index.list();
    // Another process holds the lock for a while before it writes.
    const script = `
      const db = new (require('better-sqlite3'))(${JSON.stringify(join(output, 'runs.sqlite'))});
      db.exec('begin immediate');
      console.log('locked');
      setTimeout(() => {
        const path = ${JSON.stringify(join(output, 'runs', folder, 'mark.json'))};
        require('node:fs').writeFileSync(path, JSON.stringify({label: 'theirs', isPinned: false}));
        db.exec('commit');
      }, 300);`;
    const child = spawn(process.execPath, ['-e', script], {cwd: project, stdio: ['ignore', 'pipe', 'inherit']});
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    await index.mark(folder, {isPinned: true});
    await exit;
    expect(await index.list()).toMatchObject([{label: 'theirs', isPinned: true}]);
  });

  it('is made anew by five windows that find it damaged at once, and while it is open in others', async () => {
    const output = temporaryFolder();
    for (let at = 0; at < 10; at++) record(output, at);
    const before = open(output);
    await before.list();
    for (let round = 0; round < 3; round++) {
      for (const end of ['-wal', '-shm']) rmSync(join(output, `runs.sqlite${end}`), {force: true});
      writeFileSync(join(output, 'runs.sqlite'), 'no database, but long enough to look like one'.repeat(100));
      const children = Array.from({length: 5}, () => listing(output));
      expect(await Promise.all(children)).toEqual(children.map(() => 10));
      expect(await before.list()).toHaveLength(10);
    }
  });

  it('reads a run again whose row is no JSON', async () => {
    const output = temporaryFolder();
    record(output, 1);
    const runs = await open(output).list();
    const other = new Database(join(output, 'runs.sqlite'));
    other.prepare('update runs set facts = ?').run('{"began":');
    other.close();
    expect(await open(output).list()).toEqual(runs);
  });

  it('keeps pinned and unfinished runs when it is pruned', async () => {
    const output = temporaryFolder();
    const folders = [1, 2, 3, 4].map(at => record(output, at, at === 2 ? {ended: null} : {}));
    const index = open(output);
    await index.mark(folders[0] ?? '', {isPinned: true});
    expect(await index.prune(0)).toEqual([folders[2], folders[3]]);
    expect((await index.list()).map(({folder}) => folder)).toEqual([folders[1], folders[0]]);
  });

  it('prunes what is left where two prune at once, and leaves a run that is pinned meanwhile', async () => {
    const output = temporaryFolder();
    const folders = Array.from({length: 9}, (_, at) => record(output, at + 1));
    const [one, other] = [open(output), open(output)];
    const [pruned, others] = await Promise.all([one.prune(0), other.prune(0)]);
    expect([...pruned, ...others].sort()).toEqual(folders);
    const pinned = record(output, 1);
    const list = one.list.bind(one);
    one.list = async () => {
      const runs = await list();
      changeRunMark(join(output, 'runs', pinned), {isPinned: true});
      return runs;
    };
    expect(await one.prune(0)).toEqual([]);
    one.list = list;
    expect(await one.list()).toMatchObject([{folder: pinned, isPinned: true}]);
  });

  it('lists the runs that it knows without reading a file of theirs', async () => {
    const output = temporaryFolder();
    const folder = record(output, 1);
    const files = readdirSync(join(output, 'runs', folder)).map(name => join(output, 'runs', folder, name));
    const makeOld = () => {
      for (const file of files) utimesSync(file, 1e9, 1e9);
    };
    makeOld();
    const runs = await open(output).list();
    // Only who reads them sees a difference.
    for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[a-z]/g, 'x'));
    makeOld();
    expect(await open(output).list()).toEqual(runs);
  });

  it('refuses a run that is not there, and a path out of the folder', async () => {
    const output = temporaryFolder();
    record(output, 1);
    const index = open(output);
    await expect(index.delete('20260101-000009-train')).rejects.toMatchObject({code: 'file/missing'});
    await expect(index.delete('20260101-000001-x/../..')).rejects.toMatchObject({code: 'file/missing'});
  });
});

describe('gpu-lens runs', () => {
  it('lists, labels, pins, prunes and deletes', () => {
    const output = temporaryFolder();
    const [first, second] = [record(output, 1), record(output, 2)];
    expect(json('runs', '--output', output)).toMatchObject([{folder: second}, {folder: first, stepNs: 5e6}]);
    expect(cli('runs', '--output', output).stdout).toMatch(/abc \+ changes +NVIDIA H100 +2\.13\.0 +5\.00 ms/);
    expect(json('runs', first, '--label', 'before the fix', '--pin', '--output', output)).toMatchObject([
      {label: 'before the fix', isPinned: true},
    ]);
    expect(cli('runs', '--prune', '0', '--output', output).stderr).toBe(`Deleted ${second}\n`);
    expect(json('runs', '--output', output)).toMatchObject([{folder: first}]);
    expect(cli('runs', first, '--delete', '--output', output)).toMatchObject({
      ...{status: 1, stderr: `gpu-lens: The run "${first}" is pinned: unpin it first.\n`},
    });
    json('runs', first, '--unpin', '--output', output);
    expect(json('runs', first, '--delete', '--output', output)).toEqual([]);
    // Neither the folder's runs nor a folder that is not there has such a run.
    for (const place of [output, join(output, 'nowhere')]) {
      for (const change of [[], ['--delete']]) {
        expect(cli('runs', first, ...change, '--output', place)).toMatchObject({
          ...{status: 1, stdout: ''},
          stderr: `gpu-lens: There is no run "${first}" in ${join(place, 'runs')}.\n`,
        });
      }
    }
    expect(existsSync(join(output, 'runs', first))).toBe(false);
    expect(cli('runs', '--pin', '--output', output).status).toBe(2);
    expect(cli('runs', first, '--pin', '--output', output).status).toBe(1);
    expect(json('runs', '--output', join(output, 'nothing'))).toEqual([]);
  });

  it.each(['profile', 'prove'])('says of a run of %s without an end whether it goes on', async command => {
    const output = temporaryFolder();
    const recorder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', command], {stdio: 'ignore'});
    const unfinished = (at: number, host: string, pid: number) =>
      record(output, at, {ended: null, status: null, process: {host, pid}});
    const pid = recorder.pid ?? 0;
    const running = unfinished(1, hostname(), pid);
    const elsewhere = unfinished(2, `not-${hostname()}`, pid);
    const statuses = () => new Map((json('runs', '-o', output) as Listed[]).map(row => [row.folder, row.isRunning]));
    try {
      expect(statuses()).toEqual(
        new Map([
          [elsewhere, false],
          [running, true],
        ]),
      );
      expect(cli('runs', '-o', output).stdout).toMatch(/-train +unfinished[^]*-train +running/);
    } finally {
      recorder.kill('SIGKILL');
      await once(recorder, 'exit');
    }
    expect(statuses().get(running)).toBe(false);
    expect(cli('runs', '-o', output).stdout).not.toContain('running');
  });

  it('loses nothing when it is killed while it lists or labels', async () => {
    const output = temporaryFolder();
    const folders = Array.from({length: 30}, (_, at) => record(output, at));
    const another = temporaryFolder();
    const [labelled = ''] = Array.from({length: 30}, (_, at) => record(another, at));
    const beginMs = performance.now();
    expect(cli('runs', labelled, '--label', 'label', '--output', another).status).toBe(0);
    const wholeMs = performance.now() - beginMs;
    // The seven that run at once take longer than one.
    const killed = [0, 0.5, 1, 1.5, 2, 2.5, 3].map(async (times, round) => {
      const label = ['--label', `label ${String(round)}`];
      const child = spawn(process.execPath, [program, 'runs', folders[round] ?? '', ...label, '--output', output]);
      const exit = once(child, 'exit');
      setTimeout(() => child.kill('SIGKILL'), times * wholeMs);
      await exit;
    });
    await Promise.all(killed);
    const runs = json('runs', '--output', output) as {folder: string; label: string | null}[];
    expect(runs.map(({folder}) => folder)).toEqual(folders.toReversed());
    // A label is there as a whole, or not at all.
    for (const {folder, label} of runs) {
      expect([null, `label ${String(folders.indexOf(folder))}`]).toContain(label);
    }
  });
});
