import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {cancelEverywhere, newEngine} from '../support/cancel-everywhere.js';
import {endlessTrace} from '../support/endless-trace.js';
import {kineto} from '../support/kineto-events.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

describe('EngineClient.open(params, {signal})', () => {
  it('answers a cancel at once at every phase of a Kineto trace of 60 MB, and the engine is soon free again', async () => {
    const path = join(folder, 'large.json');
    writeLargeTrace(path, 60e6);
    await cancelEverywhere('a Kineto trace of 60 MB, which one thread reads', path);
  });

  it('is heard while another thread hands on events that take long to read', async () => {
    const engine = newEngine();
    onTestFinished(() => engine.dispose());
    const path = join(folder, 'endless.json.gz');
    writeFileSync(path, endlessTrace([kineto.range('step', 0, 10)]));
    const cancel = new AbortController();
    const opening = engine.open(
      {path},
      {signal: cancel.signal, onProgress: () => setTimeout(() => cancel.abort(), 1000)},
    );
    await expect(opening).rejects.toMatchObject({code: 'import/cancelled'});
    // An engine that hears nothing is ended, and what is asked meanwhile fails.
    const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
    await expect(engine.open({path: sample}, {signal: new AbortController().signal})).resolves.toMatchObject({id: 1});
  });

  it('closes what was opened all the same', async () => {
    const engine = newEngine();
    onTestFinished(() => engine.dispose());
    const path = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
    await expect(engine.open({path}, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'import/cancelled'});
    const {id} = await engine.open({path}, {signal: new AbortController().signal});
    await engine.ask('profile/close', {profile: id});
    await expect(engine.ask('slice/details', {profile: 1, slice: 0})).rejects.toMatchObject({code: 'profile/not-open'});
  });
});
