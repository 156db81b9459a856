import {join} from 'node:path';
import {expect, it} from 'vitest';
import {temporaryFolder} from '../support/project.js';
import {skipTest} from '../support/skip-test.js';
import {canTrain, stragglerRun} from '../support/straggler-run.js';

const folder = temporaryFolder();

it('names the rank that sleeps in its backward pass, though gradient synchronisation makes all steps equally long', context => {
  if (!canTrain) skipTest(context, 'GPU_LENS_PYTHON names no Python with torch.');
  // So late that other programs of a busy machine do not hide it; the long suite has shorter delays.
  expect(stragglerRun(join(folder, 'late'), 1, 500).named).toBe(1);
});
