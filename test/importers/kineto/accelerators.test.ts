import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {traceInfo} from '../../../src/core/questions/info.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

it('operations of an MTIA accelerator are those of a device, with a note', async () => {
  const operation = (name: string, ts: number, dur: number) =>
    ({ph: 'X', cat: 'mtia_ccp_events', name, pid: 17, tid: 3774, ts, dur, args: {stream: 108}}) as const;
  const path = join(temporaryFolder(), 'mtia.json');
  writeFileSync(
    path,
    kinetoText([kineto.range('step', 0, 100), operation('merge', 20, 30), operation('event_wait', 60, 5)]),
  );
  const trace = await openTrace(path);
  expect(traceInfo(trace).gpu.workNs).toBe(35_000);
  expect(trace.devices.map(({id}) => id)).toEqual([17]);
  expect(trace.notes).toMatchObject([{code: 'gpu/accelerator'}]);
  expect(trace.notes[0]?.text).toContain('not a GPU (MTIA)');
});

// 1,313 events of the category in the file, and the sum of their durations, as the data's README has them.
it.skipIf(!hasData)('the operations of a real MTIA profile are all counted', async () => {
  const trace = await openTrace(join(dataFolder, 'trust', 'mtia-inference-rank0.json.gz'));
  expect(trace.counts.kernels).toBe(1313);
  expect(traceInfo(trace).gpu.workNs).toBe(812_125_170);
});
