import {execFileSync} from 'node:child_process';
import {mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {codeState} from '../../../src/launch/history/code-state.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
/** Git answers in ms, but the machine may be busy. */
const limitMs = 60_000;
const stateOf = (place = folder) => codeState(place, limitMs);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: folder});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, text);
}

describe('codeState(folder)', () => {
  it('tells nothing outside a repository', async () => {
    expect(await stateOf()).toEqual({commit: null, dirty: null});
  });

  it('tells the commit, and one digest for the same changes', async () => {
    git('init', '--quiet');
    write('train.py', 'a = 1\n');
    write('.gitignore', 'outputs/\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'a');
    const clean = await stateOf();
    expect(clean).toEqual({commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string, dirty: null});
    write('train.py', 'a = 2\n');
    const dirty = await stateOf();
    expect(dirty).toEqual(await stateOf());
    expect(dirty.dirty).not.toBeNull();
    write('train.py', 'a = 3\n');
    expect((await stateOf()).dirty).not.toBe(dirty.dirty);
  });

  it('sees changes of a program that git does not track, in any folder, but not of a run’s results', async () => {
    write('loss.py', 'a = 1\n');
    write('new ü/model.py', 'a = 1\n');
    write('new ü/loss.txt', '1\n');
    write('outputs/code.py', 'a = 1\n');
    const both = async () => [(await stateOf()).dirty, (await stateOf(join(folder, 'new ü'))).dirty];
    const before = await both();
    write('new ü/loss.txt', '2\n');
    write('outputs/code.py', 'a = 2\n');
    expect(await both()).toEqual(before);
    const seen = [before];
    write('new ü/model.py', 'a = 2\n');
    seen.push(await both());
    write('loss.py', 'a = 2\n');
    seen.push(await both());
    renameSync(join(folder, 'new ü/model.py'), join(folder, 'new ü/net.py'));
    seen.push(await both());
    expect(new Set(seen.map(([whole]) => whole)).size).toBe(4);
    expect(new Set(seen.map(([, inFolder]) => inFolder)).size).toBe(4);
  });

  it('takes a long program by its size, and a link that leads nowhere by its name', async () => {
    write('data.h', 'x'.repeat(2 << 20));
    symlinkSync('nowhere', join(folder, '.#train.py'));
    const {dirty} = await stateOf();
    write('data.h', 'y'.repeat(2 << 20));
    expect((await stateOf()).dirty).toBe(dirty);
    write('data.h', 'y'.repeat((2 << 20) + 1));
    expect((await stateOf()).dirty).not.toBe(dirty);
  });

  it('takes changes that git cannot tell for those of no other run', async () => {
    write('large.txt', 'x'.repeat(65 << 20));
    git('add', '--intent-to-add', 'large.txt');
    const {commit, dirty} = await stateOf();
    expect([commit, dirty]).not.toContain(null);
    expect((await stateOf()).dirty).not.toBe(dirty);
  });
});
