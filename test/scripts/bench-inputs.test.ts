import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {recordedStep} from '../../scripts/lib/bench/recorded-step.mjs';
import {writeKineto} from '../../scripts/lib/bench/repeat-kineto.mjs';
import {writeNsys} from '../../scripts/lib/bench/repeat-nsys.mjs';
import {launchSites} from '../../src/core/attribution/launch-sites.js';
import {operatorFinder} from '../../src/core/figures/operator-of-operation.js';
import {ReportTables} from '../../src/core/figures/report-tables.js';
import {noDetails} from '../../src/core/figures/report-details.js';
import {stepsOf} from '../../src/core/scope/steps.js';
import {wholeTrace} from '../../src/core/scope/report-scope.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const recording = recordedStep();
const countOf = (cat: string) => recording.events.filter(event => event.cat === cat).length;

describe('large files of the project’s own recording', () => {
  it('repeat it as a Kineto trace whose joins hold within each repetition', async () => {
    const path = join(folder, 'twice.pt.trace.json');
    await writeKineto(recording, path, 2);
    const trace = await openTrace(path);
    const {kernels, apiCalls} = trace.counts;
    expect({kernels, apiCalls}).toEqual({kernels: 2 * countOf('kernel'), apiCalls: 2 * countOf('cuda_runtime')});
    expect(trace.slices).toHaveLength(2 * recording.events.length);
    expect(trace.notes).toEqual([]);
    expect(stepsOf(trace).map(({number}) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    const {siteOf} = launchSites(trace);
    expect(siteOf.filter(site => site < 0)).toHaveLength(0);
    // Kineto's ids name the operator that the recording gave each kernel.
    const {launchSites: sites, operatorStacks} = new ReportTables({trace, details: noDetails, scope: wholeTrace});
    const operatorOf = operatorFinder(trace, sites, operatorStacks);
    const {slices, strings, gpuOperations} = trace;
    gpuOperations.slice.forEach((slice, operation) => {
      const operator = strings.get(slices.name[operatorOf(operation)] ?? 0).slice('aten::'.length);
      expect(strings.get(slices.name[slice] ?? 0)).toContain(`${operator}_functor`);
    });
  });

  it('repeat it as an export of nsys', async () => {
    const path = join(folder, 'twice.sqlite');
    writeNsys(recording, path, 2);
    const trace = await openTrace(path);
    const {kernels, apiCalls, ranges} = trace.counts;
    expect({kernels, apiCalls}).toEqual({kernels: 2 * countOf('kernel'), apiCalls: 2 * countOf('cuda_runtime')});
    expect(ranges).toBe(2 * (recording.events.length - countOf('kernel') - countOf('cuda_runtime')));
    expect(launchSites(trace).siteOf.filter(site => site < 0)).toHaveLength(0);
  });
});
