import {copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {MessageChannel} from 'node:worker_threads';
import {gunzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {namesWritten} from '../../src/core/export/without-names.js';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {json, run} from '../support/command-line.js';
import {modelTrace} from '../support/model-trace.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const profile = join(folder, 'model.pt.trace.json');
const {port1, port2} = new MessageChannel();
serve<EngineRequests>(
  workerPort(port1),
  createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test'),
);
const {ask} = connect<EngineRequests>(workerPort(port2));
let id = -1;

beforeAll(async () => {
  writeFileSync(profile, modelTrace(3, 2));
  id = (await ask('profile/open', {path: profile})).id;
});
afterAll(() => port1.close());

const parts = [
  {selection: {step: 1}, options: ['--step', '1']},
  {selection: {fromNs: 100_000, toNs: 400_000}, options: ['--window', '100000:400000ns']},
] as const;

describe("ask('profile/save-part', …)", () => {
  for (const to of ['pytorch', 'perfetto'] as const) {
    for (const {selection, options} of parts) {
      it(`writes the bytes and tells the notes of gpu-lens export --to ${to} ${options.join(' ')}`, async () => {
        for (const names of ['keep', 'drop'] as const) {
          const [output, expected] = ['saved', 'exported'].map(name => join(folder, `${name}.json.gz`));
          if (output === undefined || expected === undefined) throw new Error('Two names are two.');
          const notes = await ask('profile/save-part', {profile: id, selection, to, names, output});
          const {status, stderr} = run(
            ...['export', profile, '--to', to, ...options, '--names', names, '-o', expected],
          );
          expect(status).toBe(0);
          expect(readFileSync(output).equals(readFileSync(expected))).toBe(true);
          expect(stderr).toContain(notes[0]);
          expect(notes).toEqual([expect.stringMatching(/^The file has [1-9]\d* of \d+ GPU operations and/)]);
        }
      });
    }
  }

  it('writes a step whose figures are those of the step in the profile, whatever becomes of its names', async () => {
    const figuresOf = (file: string) =>
      (json('ranges', file, '--step', '1') as {count: number; gpuWorkNs: number; gpuSelfNs: number}[])
        .map(({count, gpuWorkNs, gpuSelfNs}) => [count, gpuWorkNs, gpuSelfNs].join(' '))
        .sort();
    for (const names of namesWritten.filter(one => one !== 'drop')) {
      const output = join(folder, `${names}.pt.trace.json.gz`);
      await ask('profile/save-part', {profile: id, selection: {step: 1}, to: 'pytorch', names, output});
      expect(figuresOf(output)).toEqual(figuresOf(profile));
      expect(/layer|attention/i.test(gunzipSync(readFileSync(output)).toString())).toBe(names === 'keep');
    }
  });

  it('leaves nothing behind where it is cancelled, or where the profile has no such step', async () => {
    const output = join(folder, 'never.json');
    const wanted = {profile: id, selection: {step: 1}, to: 'pytorch', names: 'keep', output} as const;
    const cancel = new AbortController();
    const saving = ask('profile/save-part', wanted, {signal: cancel.signal});
    cancel.abort();
    await expect(saving).rejects.toMatchObject({code: 'import/cancelled'});
    await expect(ask('profile/save-part', {...wanted, selection: {step: 99}})).rejects.toThrow(
      'This profile has no step 99.',
    );
    expect([existsSync(output), readdirSync(folder).filter(name => name.endsWith('.partial'))]).toEqual([false, []]);
  });

  it('copies no events of a file that is another than the one that was opened', async () => {
    const path = join(folder, 'changing.json');
    copyFileSync(profile, path);
    const {id: changing} = await ask('profile/open', {path});
    writeFileSync(path, modelTrace(2, 2));
    const output = join(folder, 'old.json');
    const wanted = {profile: changing, selection: {step: 1}, to: 'pytorch', output} as const;
    await expect(ask('profile/save-part', {...wanted, names: 'keep'})).rejects.toMatchObject({code: 'file/changed'});
    expect(existsSync(output)).toBe(false);
    // What was read of it is in memory.
    await ask('profile/save-part', {...wanted, names: 'drop'});
    expect(existsSync(output)).toBe(true);
  });
});
