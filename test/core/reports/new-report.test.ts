import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import esbuild from 'esbuild';
import {beforeAll, describe, expect, it} from 'vitest';
import type {reportsText} from '../../../src/core/reports/report-text.js';
import type {parseReportRequest, reportDefinitions} from '../../../src/core/reports/reports.js';
import type {tabNeeds} from '../../../src/core/tabs/tab-list.js';
import type {keptRows, readReport, tablePage} from '../../../src/core/tabs/table-page.js';
import type {tabDetails, tableReport, tableTabs} from '../../../src/core/tabs/table-tabs.js';
import {traceTabs} from '../../../src/core/tabs/tab-list.js';
import {tabGroups} from '../../../src/core/reports/report.js';
import {reportDefinitions as definitions} from '../../../src/core/reports/reports.js';
import {withTimeLimit} from '../../../src/engine/time-limit.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {project, temporaryFolder} from '../../support/project.js';
import {traceFromText} from '../../support/trace-from-text.js';

const folder = temporaryFolder();
const core = join(project, 'src', 'core');

interface Core {
  readonly parseReportRequest: typeof parseReportRequest;
  readonly reportDefinitions: typeof reportDefinitions;
  readonly reportsText: typeof reportsText;
  readonly tableTabs: typeof tableTabs;
  readonly tabDetails: typeof tabDetails;
  readonly tabNeeds: typeof tabNeeds;
  readonly tableReport: typeof tableReport;
  readonly readReport: typeof readReport;
  readonly keptRows: typeof keptRows;
  readonly tablePage: typeof tablePage;
}

/** What this file proves to be enough: a file, here among the fixtures, and a line in the list of reports. */
const added: esbuild.Plugin = {
  name: 'a new report',
  setup(build) {
    build.onLoad({filter: /reports[/\\]reports\.ts$/}, async ({path}) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replace(/(\n)(];\n)/, '$1  dummyReport,\n$2')
        .replace(/^/, "import {dummyReport} from './dummy-report.js';\n");
      return {contents, loader: 'ts', resolveDir: join(core, 'reports')};
    });
    build.onResolve({filter: /\/dummy-report\.js$/}, () => ({
      path: join(project, 'test', 'fixtures', 'dummy-report', 'dummy-report.ts'),
    }));
  },
};

describe('a report that is a file and a line in the list', () => {
  let bundle: Core;
  const trace = traceFromText('range outer    ====');

  beforeAll(async () => {
    const outfile = join(folder, 'core.cjs');
    const files = ['reports/report-text', 'reports/reports', 'tabs/tab-list', 'tabs/table-page', 'tabs/table-tabs'];
    await esbuild.build({
      stdin: {
        contents: files.map(file => `export * from './${file}.js';`).join('\n'),
        resolveDir: core,
        loader: 'ts',
      },
      ...{bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent', plugins: [added]},
    });
    bundle = createRequire(import.meta.url)(outfile) as Core;
  });

  const page = () => {
    const read = bundle.readReport(bundle.tableReport(trace, 'dummies', {}, noDetails));
    return bundle.tablePage(read, bundle.keptRows(read, {text: '', isRegex: false, sort: []}, withTimeLimit), 0, 10);
  };

  it('is asked for by its name, and written in every format', () => {
    expect(bundle.parseReportRequest('dummy_sum')?.definition.title).toBe('Dummy Summary');
    const report = bundle.tableReport(trace, 'dummies', {}, noDetails);
    const text = (format: 'csv' | 'json' | 'markdown' | 'table') => [...bundle.reportsText([report], format)].join('');
    expect(text('csv')).toBe('Turn,Who,Weight,Count,Where\n1000,ada,3,7,here\n1001,bob,2,7,here\n');
    expect(JSON.parse(text('json'))).toHaveLength(2);
    expect(text('markdown')).toContain('| 1001 | bob | 2 | 7 | here |');
    expect(text('table')).toContain('** Dummy Summary (dummy_sum):');
  });

  it('has its tab where it says, and what it needs', () => {
    const ids = bundle.tableTabs(trace).map(({id}) => id);
    expect(ids[ids.indexOf('dummies') - 1]).toBe('kernels');
    expect(bundle.tableTabs(trace).find(({id}) => id === 'dummies')).toEqual({
      id: 'dummies',
      title: 'Dummies',
      row: 'step',
      about: 'dummies',
      group: 'GPU',
    });
    expect(bundle.tabDetails('dummies')).toEqual(['grids']);
    expect([bundle.tabNeeds('dummies', 'otherRanks'), bundle.tabNeeds('dummies', 'kernelLines')]).toEqual([
      true,
      false,
    ]);
  });

  it('adds up and draws what it says, whatever the titles', () => {
    const {columns, totals, rows} = page();
    expect(totals).toEqual(['', '', '5', '', '']);
    expect(columns.map(({hasBar}) => hasBar)).toEqual([false, false, true, false, false]);
    expect(columns.map(({isName}) => isName)).toEqual([false, true, false, false, false]);
    expect(rows[1]?.bars[2]).toBeCloseTo(2 / 3);
  });

  it('has rows that say what they are about, apart from their texts', () => {
    expect(page().rows.map(({name, step, texts}) => [name, step, texts[0]])).toEqual([
      ['ada', 1000, '1,000'],
      ['bob', 1001, '1,001'],
    ]);
  });
});

describe('tabs of reports', () => {
  const tabs = definitions.flatMap(definition => definition.tabs ?? []);

  it('stand each once in the view, behind a tab that there is', () => {
    const ids = traceTabs.map(({id}) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(tabs.filter(({id}) => !ids.includes(id))).toEqual([]);
    const inGroup = (group: string) => traceTabs.filter(tab => tab.group === group).map(({id}) => id);
    expect(inGroup('Summary')).toEqual([
      ...['ranges', 'nvtx', 'compiled', 'modules', 'modules-each', 'gpu-timeline'],
      ...['steps', 'step-breakdown', 'gpu-timeline-steps'],
    ]);
    expect(inGroup('GPU')).toEqual([
      ...['kernels', 'kernel-grids', 'kernel-classes', 'memory', 'memory-size', 'memory-ranges', 'memory-held'],
      'launches',
    ]);
    expect(inGroup('CPU').slice(-2)).toEqual(['api', 'os']);
    expect(inGroup('Communication')).toEqual(['collectives', 'collective-calls', 'ranks']);
    expect(inGroup('Quality')).toEqual(['quality']);
    // Those of a group stand together, and every tab is in one.
    const groups = traceTabs.map(({group}) => group);
    expect(groups.filter((group, at) => group !== groups[at - 1])).toEqual([...tabGroups]);
  });

  it('name a row by a column that says so, where rows are shown elsewhere', () => {
    const nameless = definitions.filter(
      ({columns, tabs: own = []}) =>
        own.some(({row}) => row !== 'plain' && row !== 'step') &&
        !columns.some(({role}) => role === 'name' || role === 'range'),
    );
    expect(nameless.map(({id}) => id)).toEqual([]);
  });

  it('have no sum of times in which modules count again inside others', () => {
    const columns = definitions.find(({id}) => id === 'modules_sum')?.columns ?? [];
    const summed = columns.filter(({addsUp}) => addsUp).map(({title}) => title);
    expect(summed).toEqual(['CPU Self']);
  });

  it('of steps have the number of the step in a column', () => {
    const stepless = definitions.filter(
      ({columns, tabs: own = []}) => own.some(({row}) => row === 'step') && !columns.some(({role}) => role === 'step'),
    );
    expect(stepless.map(({id}) => id)).toEqual([]);
  });
});
