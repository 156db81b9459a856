import {join} from 'node:path';
import {describe, it} from 'vitest';
import {cancelEverywhere} from '../support/cancel-everywhere.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

/** Many kernels. */
const manyKernels = `with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000)
  insert into CUPTI_ACTIVITY_KIND_KERNEL select 5000 + 20 * x, 5010 + 20 * x, 0, 1, 7, x, 281475144482816, 2, 3 from c`;

describe('EngineClient.open(params, {signal}) answers a cancel at once at every phase, and the engine is soon free again', () => {
  it('of a Kineto trace of 150 MB, which two threads read', async () => {
    const path = join(folder, 'large.json');
    writeLargeTrace(path, 150e6);
    await cancelEverywhere('a Kineto trace of 150 MB, which two threads read', path);
  });

  it('of an nsys export of 300,000 kernels', async () => {
    const path = writeNsysDatabase(join(folder, 'large.sqlite'), manyKernels);
    await cancelEverywhere('an nsys export of 300,000 kernels', path);
  });
});
