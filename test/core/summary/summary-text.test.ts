import {describe, expect, it} from 'vitest';
import {traceInfo} from '../../../src/core/questions/info.js';
import {summaryPage} from '../../../src/core/summary/summary-page.js';
import {partRows, splitTitle, summaryFacts, summaryHeadline} from '../../../src/core/summary/summary-text.js';
import {timeSummary} from '../../../src/core/summary/time-summary.js';
import {findingsIn} from '../../support/findings.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {trainingProgram} from '../../support/training-program.js';

const h100 = {deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}]};

describe('the words of a summary', () => {
  it('say in three figures how long a step is, how busy the GPU, and what is in the way', async () => {
    const trace = await traceOfEvents(trainingProgram().events, h100);
    const summary = timeSummary(trace);
    expect(summaryHeadline(summary)).toEqual([
      {figure: '11.4 ms', label: 'a step', detail: 'median of 6, from 11.1 ms to 11.7 ms'},
      {figure: '84.6 %', label: 'GPU busy', detail: 'idle 1.76 ms a step'},
      {figure: '11.0 %', label: 'Idle: data loader', detail: '1.25 ms a step'},
    ]);
    expect(summaryFacts(summary, traceInfo(trace)).slice(0, 1)).toEqual(['NVIDIA H100 80GB HBM3']);
    expect(summaryFacts(summary, traceInfo(trace))).toContain('6 steps');
    expect(splitTitle(summary, null)).toBe('An average step: 11.4 ms');
    expect(splitTitle(summary, summary.columns[0] ?? null)).toMatch(/^Step 1: /);
    const rows = partRows(summary, null);
    expect(rows[0]).toMatchObject({title: 'Matrix products', time: '6.60 ms'});
    expect(partRows(summary, summary.columns[0] ?? null).map(({part}) => part)).toEqual(rows.map(({part}) => part));
  });

  it('say of a profile without steps what its time is', async () => {
    const summary = timeSummary(await traceOfEvents(new GpuProgram().launch({gpu: 100}).events));
    expect(summaryHeadline(summary)).toEqual([
      {
        figure: '100 µs',
        label: 'in all',
        detail: 'from the GPU’s first to its last operation: the profile has no steps',
      },
      {figure: '100 %', label: 'GPU busy', detail: 'idle 0 ns'},
      {figure: '100 %', label: 'Matrix products', detail: '100 µs'},
    ]);
    expect(splitTitle(summary, null)).toBe('The whole time: 100 µs');
  });

  it('make a page of Markdown, with findings once they are known', async () => {
    const trace = await traceOfEvents(trainingProgram().events, h100);
    const summary = timeSummary(trace);
    const page = summaryPage('run.pt.trace.json', traceInfo(trace), summary, await findingsIn(trace));
    expect(page).toMatch(/^# run\.pt\.trace\.json\n/);
    expect(page).toContain('| Matrix products | 6.60 ms | 58.0 % |');
    expect(page).toMatch(/## What stands out\n\n- [^\n]+\n/);
    expect(page).toMatch(/## Kernels\n\n\| Name \| GPU work \| Share \| Count \|/);
    expect(summaryPage('x', traceInfo(trace), summary, null)).not.toContain('What stands out');
    expect(summaryPage('x', traceInfo(trace), summary, [])).toContain('No findings: nothing is above');
  });
});
