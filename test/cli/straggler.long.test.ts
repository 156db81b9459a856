import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {temporaryFolder} from '../support/project.js';
import {skipTest} from '../support/skip-test.js';
import {canTrain, stragglerRun} from '../support/straggler-run.js';

const runs = 20;
/** A core for each rank is part of the case: a neighbour on one of them holds that rank up, and it is named rightly. */
const mostOthersPart = 0.05;
const folder = temporaryFolder();
const noPython = 'GPU_LENS_PYTHON names no Python with torch.';

describe('TraceML’s issue 252 on two ranks', () => {
  it(`names the late rank in ${String(runs)} of ${String(runs)} runs`, context => {
    if (!canTrain) skipTest(context, noPython);
    const named = Array.from(
      {length: runs},
      (_, run) => stragglerRun(join(folder, `late${String(run)}`), run % 2).named,
    );
    expect(named).toEqual(Array.from({length: runs}, (_, run) => run % 2));
  }, 1_200_000);

  it(`names nobody in ${String(runs)} runs without one, in which each rank had its core`, context => {
    if (!canTrain) skipTest(context, noPython);
    const named: (number | null)[] = [];
    let others = 0;
    for (let run = 0; named.length < runs && others < 2 * runs; run++) {
      const clean = stragglerRun(join(folder, `clean${String(run)}`), -1);
      if (clean.othersPart > mostOthersPart) others++;
      else named.push(clean.named);
    }
    expect(named.filter(rank => rank !== null)).toEqual([]);
    if (named.length < runs) {
      skipTest(
        context,
        `Other programs took a rank's core in ${String(others)} runs, ${String(named.length)} were fair.`,
      );
    }
  }, 2_400_000);
});
