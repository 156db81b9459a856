import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {detailKinds} from '../../../src/core/figures/report-details.js';
import {reportScope} from '../../../src/core/scope/report-scope.js';
import type {Selection} from '../../../src/core/scope/selection.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {reportOfFile, reportOfTrace, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const withoutCall = 'GPU operations without a launching call';
const withoutOperation = 'Calls that launch, copy or set without a GPU operation';
const crossing = 'Tagged ranges that overlap another of their thread without nesting';

async function counters(path: string): Promise<Record<string, string[]>> {
  return countersOf(textRows(await reportOfFile(path, 'data_quality')));
}

function countersOf(rows: readonly Record<string, string>[]): Record<string, string[]> {
  return Object.fromEntries(
    rows.map(row => [row['What'] ?? '', ['Count', 'Of', 'Share (%)', 'Time (ns)'].map(column => row[column] ?? '')]),
  );
}

describe('data_quality', () => {
  it('counts what a file says badly', async () => {
    const path = join(temporaryFolder(), 'quality.json');
    writeFileSync(
      path,
      kinetoText([
        kineto.range('outer', 0, 100),
        kineto.range('inside', 10, 20),
        kineto.range('crosses', 90, 50),
        kineto.range('inside crosses', 95, 20),
        kineto.call(1, 12, 5),
        kineto.kernel(1, 20, 30),
        kineto.call(2, 30, 5),
        kineto.kernel(2, 25, 10),
        kineto.call(3, 40, 5),
        kineto.kernel(9, 60, 5),
        kineto.call(4, 50, 1),
        kineto.call(4, 52, 1),
      ]),
    );
    const counted = await counters(path);
    expect(counted[withoutCall]).toEqual(['1', '3', '33.3', 'None']);
    expect(counted['GPU operations that start before their call']?.[0]).toBe('1');
    expect(counted[withoutOperation]).toEqual(['3', '5', '60.0', 'None']);
    expect(counted['Correlation ids that several calls of a process share']?.[0]).toBe('1');
    // "crosses" ends after "outer"; what it holds from there on ends after "outer", too.
    expect(counted[crossing]).toEqual(['2', '4', '50.0', 'None']);
  });

  it('finds the operations of calls whose graphs are traced as a whole', async () => {
    const path = writeNsysDatabase(join(temporaryFolder(), 'graph.sqlite'));
    const db = new Database(path);
    const calls = db.prepare('select correlationId from CUPTI_ACTIVITY_KIND_RUNTIME').pluck().all();
    const graph = db.prepare('select correlationId from CUPTI_ACTIVITY_KIND_GRAPH_TRACE').pluck().get();
    db.close();
    expect(calls).toContain(graph);
    const counted = await counters(path);
    expect(counted['GPU operations traced as whole graphs']?.[0]).toBe('1');
    expect(counted[withoutOperation]?.[0]).toBe('0');
  });

  it('of a selection counts ranges that never ended, and slices, among those in it', async () => {
    const path = writeNsysDatabase(join(temporaryFolder(), 'open.sqlite'));
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, new Set(detailKinds));
    const of = (selection: Selection) =>
      countersOf(textRows(reportOfTrace(trace, 'data_quality', reportScope(trace, selection), details)));
    const neverEnded = (selection: Selection) => of(selection)['Tagged ranges that never ended']?.slice(0, 2);
    expect(neverEnded({})).toEqual(['2', '5']);
    expect(neverEnded({process: '10'})).toEqual(['2', '4']);
    expect(neverEnded({process: '20'})).toEqual(['0', '1']);
    const assumed = (selection: Selection) => of(selection)['Slices of which something was assumed']?.[1];
    expect(assumed({})).toBe(String(trace.slices.length));
    expect(Number(assumed({process: '20'}))).toBeLessThan(trace.slices.length);
  });

  it('of a selection counts its backward operators', async () => {
    const path = join(temporaryFolder(), 'backward.json');
    const backward = (ts: number, number: number) =>
      kineto.op('autograd::engine::evaluate_function: MmBackward0', ts, 20, {
        'Fwd thread id': 1,
        'Sequence number': number,
      });
    writeFileSync(
      path,
      kinetoText([
        ...[kineto.range('step 0', 0, 100), backward(10, 1), backward(40, 2)],
        ...[kineto.range('step 1', 100, 100), backward(110, 3)],
      ]),
    );
    const trace = await openTrace(path);
    const of = (selection: Selection) =>
      countersOf(textRows(reportOfTrace(trace, 'data_quality', reportScope(trace, selection))))[
        'Backward operators whose forward thread was assumed'
      ]?.[1];
    expect([of({}), of({step: 0}), of({step: 1})]).toEqual(['3', '2', '1']);
  });

  it.skipIf(!hasData)(
    'of a step, window or device counts its own calls and operations, as a plain recount does',
    async () => {
      const path = join(dataFolder, 'kineto', 'resnet50-v100-2021.json.gz');
      const trace = await openTrace(path);
      const of = (selection: Selection) =>
        countersOf(textRows(reportOfTrace(trace, 'data_quality', reportScope(trace, selection))));
      interface Event {
        readonly cat?: string;
        readonly name: string;
        readonly ts: number;
        readonly dur: number;
        readonly args: Readonly<Record<string, number>>;
      }
      const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: Event[]};
      const onGpu = traceEvents.filter(({cat}) => cat === 'Kernel' || cat === 'Memcpy' || cat === 'Memset');
      const executed = new Set(onGpu.map(({args}) => args['correlation']));
      const launches = traceEvents.filter(
        ({cat, name}) => cat === 'Runtime' && /^cuda(LaunchKernel|Memcpy|Memset)/.test(name),
      );
      const step = traceEvents.find(({name}) => name === 'ProfilerStep#7') ?? {ts: NaN, dur: NaN};
      const inStep = launches.filter(({ts}) => ts >= step.ts && ts < step.ts + step.dur);
      const idle = (calls: readonly Event[]) => calls.filter(({args}) => !executed.has(args['correlation'])).length;
      expect(inStep.length).toBeGreaterThan(1000);
      expect(of({step: 7})[withoutOperation]?.slice(0, 2)).toEqual([String(idle(inStep)), String(inStep.length)]);
      // A device narrows what the GPU did, and no thread.
      for (const device of [0, 99]) {
        const whole = [String(idle(launches)), String(launches.length)];
        expect(of({device})[withoutOperation]?.slice(0, 2)).toEqual(whole);
      }
      const launched = new Set(inStep.map(({args}) => args['correlation']));
      const ofStep = onGpu.filter(({args}) => launched.has(args['correlation'])).length;
      expect(of({step: 7})[withoutCall]?.slice(0, 2)).toEqual(['0', String(ofStep)]);
      expect(of({device: 99})[withoutCall]?.slice(0, 2)).toEqual(['0', '0']);
    },
  );

  it.skipIf(!hasData)('counts the operations of a trimmed capture that SQL finds no call for', async () => {
    const path = join(dataFolder, 'nsys', 'train-2xh100-2proc.sqlite');
    const db = new Database(path, {readonly: true});
    const operations = ['KERNEL', 'MEMCPY', 'MEMSET']
      .map(table => `select correlationId id, globalPid pid from CUPTI_ACTIVITY_KIND_${table}`)
      .join(' union all ');
    const calls = 'select correlationId id, globalTid - globalTid % 0x1000000 pid from CUPTI_ACTIVITY_KIND_RUNTIME';
    const unlaunched = db
      .prepare(`select count(*) from (${operations}) where (id, pid) not in (${calls})`)
      .pluck()
      .get() as number;
    db.close();
    expect((await counters(path))[withoutCall]).toEqual([String(unlaunched), '4368', '52.1', 'None']);
    expect(unlaunched).toBeGreaterThan(2000);
  });
});
