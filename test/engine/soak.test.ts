import {it} from 'vitest';
import {temporaryFolder} from '../support/project.js';
import {soak} from '../support/soak.js';

const folder = temporaryFolder();

it('the engine opens and closes 40 profiles in one worker, and memory stays flat', async () => {
  await soak(folder, 40);
});
