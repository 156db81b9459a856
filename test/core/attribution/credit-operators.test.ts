import {describe, expect, it} from 'vitest';
import {attribute} from '../../../src/core/attribution/attribute.js';
import {creditOperators, creditWithoutRanges} from '../../../src/core/attribution/credit-operators.js';
import {rowsOfKinds} from '../../../src/core/attribution/rows-of-kinds.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {itEachFile} from '../../support/each-file.js';
import {randomTrace} from '../../support/random-trace.js';
import {dataFiles, hasData} from '../../support/real-data.js';

const operators = new Set<SliceKind>(['cpu_op']);

/** What stacks and sweeps of all ranges give is what the short ways must give. */
function expectSameCredits(trace: Trace): void {
  const {credit: ofOperators} = creditOperators(trace, rowsOfKinds(trace, operators));
  expect(ofOperators.range).toEqual(attribute(trace, {kinds: operators}).credit.range);
  expect(creditWithoutRanges(trace).credit.range).toEqual(attribute(trace, {kinds: new Set()}).credit.range);
}

describe('creditOperators(trace) and creditWithoutRanges(trace) credit as attribute(trace) does', () => {
  const seeds = Array.from({length: 200}, (_, seed) => seed);

  it.each(seeds)('slices anywhere, of equal bounds, on autograd’s threads and others (seed %i)', seed => {
    expectSameCredits(randomTrace(seed));
  });

  const files = [...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')];

  describe.skipIf(!hasData)('public traces', () => {
    itEachFile(files)('$name', async ({path}) => {
      expectSameCredits(await openTrace(path));
    });
  });
});
