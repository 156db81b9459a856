import {it} from 'vitest';
import {temporaryFolder} from '../support/project.js';
import {soak} from '../support/soak.js';

const folder = temporaryFolder();

it('the engine opens and closes 200 profiles in one worker, and memory stays flat', {timeout: 1_200_000}, async () => {
  await soak(folder, 200);
});
