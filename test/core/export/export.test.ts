import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {perfettoJson} from '../../../src/core/export/perfetto-json.js';
import {slicesCsv} from '../../../src/core/export/slices-csv.js';
import {summaryHtml, summaryMarkdown, type Summary} from '../../../src/core/export/summary.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const folder = temporaryFolder();

async function reopened(trace: Trace, name: string): Promise<Trace> {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, [...perfettoJson(trace)].join(''));
  return openTrace(path);
}

const nested = traceFromText(`
  range outer     ==========
  range inner       ===
  bg: range cross ====
  bg: range over    ====
  call             A   B
  stream 7          AA  BB
`);

describe('perfettoJson(trace)', () => {
  it('is read back with the same figures', async () => {
    const again = await reopened(nested, 'nested');
    expect(rangeRows(again, 'path')).toEqual(rangeRows(nested, 'path'));
    expect(gpuSummary(again)).toEqual(gpuSummary(nested));
  });

  itEachFile(dataFiles('kineto', '.json.gz').filter(({name}) => /bert|alexnet|resnet18/.test(name)))(
    'has the operations and the work of $name',
    async ({path, name}) => {
      const trace = await openTrace(path);
      const again = await reopened(trace, name);
      expect(gpuSummary(again)).toEqual(gpuSummary(trace));
      expect(again.slices.length).toBe(trace.slices.length);
      expect(again.forwardBackward.length).toBe(trace.forwardBackward.length);
    },
  );

  it.each(['-5', '"abc"', '18446744073709551615'])('joins work to calls by the id %s, too', async id => {
    const path = join(folder, 'ids.json');
    const text = kinetoText([kineto.range('step', 0, 90), kineto.call(7, 10, 5), kineto.kernel(7, 30, 40)]);
    writeFileSync(path, text.replaceAll('"correlation": 7', `"correlation": ${id}`));
    const trace = await openTrace(path);
    const again = await reopened(trace, 'again');
    expect(rangeRows(trace, 'name').find(({name}) => name === 'step')?.gpuWorkNs).toBe(40_000);
    expect(rangeRows(again, 'name')).toEqual(rangeRows(trace, 'name'));
  });

  it('nests all slices of a thread, as its readers want it', () => {
    const {traceEvents} = JSON.parse([...perfettoJson(nested)].join('')) as {
      traceEvents: {ph: string; tid: number; ts: number; dur: number}[];
    };
    const slices = traceEvents.filter(({ph}) => ph === 'X');
    for (const a of slices) {
      for (const b of slices) {
        const crosses = a.tid === b.tid && a.ts < b.ts && b.ts < a.ts + a.dur && b.ts + b.dur > a.ts + a.dur;
        expect(crosses).toBe(false);
      }
    }
    expect(slices).toHaveLength(nested.slices.length);
  });
});

it('slicesCsv(trace) has a row per slice, with the ids of GPU operations', () => {
  const rows = [...slicesCsv(nested)].join('').split('\r\n');
  expect(rows[0]).toBe('startNs,durationNs,kind,name,process,track,device,stream,correlation,bytes');
  expect(rows).toContain('2000,2000,kernel,kernel_A,1,Stream 7,0,7,65,');
  expect(rows).toHaveLength(nested.slices.length + 2);
});

describe('a summary', () => {
  const summary: Summary = {
    title: 'a<b>.json',
    facts: [['Note', 'x | y']],
    tables: [
      {
        title: 'Ranges',
        columns: [
          {title: 'Name', isNumeric: false},
          {title: 'Time', isNumeric: true},
        ],
        rows: [['<script>alert(1)</script>', '1 ms']],
        length: 7,
      },
    ],
    picture: null,
  };

  it('summaryHtml(summary) has no markup but its own, and a policy that lets nothing run', () => {
    const html = summaryHtml(summary);
    expect(html).not.toContain('<script');
    expect(html).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'\"");
    expect(html).toContain('The first 1 of 7 rows.');
  });

  it('summaryMarkdown(summary) keeps cells in their columns', () => {
    expect(summaryMarkdown(summary)).toContain('| Note | x \\| y |');
    expect(summaryMarkdown(summary)).toContain('| --- | ---: |\n| \\<script>alert(1)\\</script> | 1 ms |');
  });
});
