import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {cancelEverywhere, newEngine} from '../support/cancel-everywhere.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

describe('EngineClient.open(params, {signal})', () => {
  it(
    'answers a cancel at once at every phase of a Kineto trace of 60 MB, and the engine is soon free again',
    {timeout: 120_000},
    async () => {
      const path = join(folder, 'large.json');
      writeLargeTrace(path, 60e6);
      await cancelEverywhere('a Kineto trace of 60 MB, which one thread reads', path);
    },
  );

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
