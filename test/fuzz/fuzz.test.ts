import {expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';
import {fuzz} from './fuzz.js';

it('damaged files open with figures that agree, or are refused by one sentence, and soon', async () => {
  expect(await fuzz(project, temporaryFolder(), 300, 1)).toEqual([]);
});
