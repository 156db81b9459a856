// @vitest-environment jsdom
import {beforeAll, expect, it} from 'vitest';
import {checkRunBudgets} from '../../src/core/compare/run-budgets.js';
import {compareFlames} from '../../src/core/compare/compare-flames.js';
import {comparisonHtml} from '../../src/core/compare/comparison-html.js';
import {comparisonPage} from '../../src/core/compare/comparison-page.js';
import {matrixPage} from '../../src/core/compare/matrix-sections.js';
import {compareRuns} from '../../src/core/compare/run-comparison.js';
import type {SelectedRun} from '../../src/core/compare/run-comparison-input.js';
import {compareMany} from '../../src/core/compare/run-matrix.js';
import type {ComparisonHostRequests, ComparisonViewRequests} from '../../src/protocol/comparison-messages.js';
import {runOf} from '../support/compared-runs.js';
import {kineto} from '../support/kineto-events.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {traceOfEvents} from '../support/trace-of-events.js';
import {chineseTexts, outsideOfWords, pseudo, translatePage, untranslated} from '../support/translations.js';

completePage();
document.documentElement.lang = 'zh-cn';
translatePage(Object.fromEntries(Object.keys(chineseTexts).map(text => [text, pseudo(text)])));
const {ComparisonView} = await import('../../webview/compare/comparison-view.js');

/** Twelve steps of two kernels, one of which only this run has. */
async function run(gpu: string, ownKernel: string, sgemmUs: number, calls: number): Promise<SelectedRun> {
  let id = 0;
  const events = Array.from({length: 12}, (_, step) => {
    const at = step * 2000;
    const kernel = (name: string, fromUs: number, us: number) => {
      id++;
      return [kineto.call(id, fromUs, 2), {...kineto.kernel(id, fromUs + 300, us), name}];
    };
    return [
      kineto.range(`ProfilerStep#${String(step + calls)}`, at, 1900),
      kineto.range('attention', at + 10, 200),
      ...Array.from({length: calls}, (_, call) => kernel('sgemm', at + 20 + 20 * call, sgemmUs + (step % 3))).flat(),
      ...kernel(ownKernel, at + 180, 50),
    ];
  }).flat();
  return runOf(await traceOfEvents(events, {deviceProperties: [{id: 0, name: gpu}]}));
}

/** Names of what ran and of its classes, as budgets and queries have them; and names of keys. */
const names =
  /^(?:[#>*_|:/ +%.−\d-]|sgemm|elementwise|softmax|matrix product|attention|ProfilerStep|H100|A100|Home|Enter|Escape, Backspace|Shift\+F10, M)*$/;
const isName = (text: string) => names.test(text);
/** What is not said of pages of Markdown: cells and lines of them. */
const outside = (pages: readonly string[]) =>
  outsideOfWords(pages.flatMap(page => page.replace(/\\(.)/g, '$1').split(/[|\n]/))).filter(text => !isName(text));

let runs: readonly [SelectedRun, SelectedRun, SelectedRun];
beforeAll(async () => {
  runs = [
    await run('H100', 'softmax', 100, 1),
    await run('H100', 'elementwise', 130, 2),
    await run('A100', 'softmax', 9, 1),
  ];
});

it('a comparison of two runs is said in the editor’s language: its view, its flame graphs, and its pages', async () => {
  const [base, changed, other] = runs;
  const host = new TestHost<ComparisonHostRequests, ComparisonViewRequests>({'view/ready': () => undefined});
  new ComparisonView(host.host, document.body).start();
  await settle();
  expect(document.body.textContent).toContain('Nothing is compared.');
  for (const after of [changed, other]) {
    const comparison = compareRuns(base, after);
    const flames = compareFlames(base, after, {}, comparison.noise.betweenRuns, true);
    const pair = {state: 'pair', names: ['1', '2'], comparison, flames, hasTimelines: true, isByShapes: false} as const;
    await host.tell('comparison/content', pair);
    expect(untranslated(document.body, isName)).toEqual([]);
    const swap = [...document.querySelectorAll<HTMLElement>('button, vscode-button')].find(
      ({textContent}) => textContent === pseudo('Swap'),
    );
    swap?.click();
    expect(document.querySelector('[data-testid=selection]')?.textContent).toContain(' of all before');
    expect(untranslated(document.body, isName)).toEqual([]);
    const html = comparisonHtml(comparison, ['1', '2'], [], flames);
    expect(html).toContain('<html lang="zh-cn">');
    const page = document.createElement('div');
    page.innerHTML = html.replace(/<style>[^]*?<\/style>/g, '');
    expect(untranslated(page, isName)).toEqual([]);
    expect(outside([comparisonPage(comparison, ['1', '2'])])).toEqual([]);
    swap?.click();
  }
});

it('a verdict is emphasised where a change was found, whatever it is called', () => {
  const comparison = compareRuns(runs[0], runs[1]);
  expect(comparison.rows.map(({verdict}) => verdict)).toEqual(expect.arrayContaining(['slower', 'new', 'gone']));
  expect(comparisonPage(comparison, ['1', '2'])).toContain(`**${pseudo('slower')}**`);
  expect(comparisonHtml(comparison, ['1', '2'])).toContain(`<td class="slower">${pseudo('slower')}</td>`);
});

it('several runs side by side are said in the editor’s language', async () => {
  const host = new TestHost<ComparisonHostRequests, ComparisonViewRequests>({'view/ready': () => undefined});
  document.body.replaceChildren();
  new ComparisonView(host.host, document.body).start();
  const matrix = compareMany(runs);
  await host.tell('comparison/content', {state: 'matrix', names: ['1', '2', '3'], matrix});
  expect(document.body.textContent).toContain('A100');
  expect(untranslated(document.body, isName)).toEqual([]);
  expect(outside([matrixPage(matrix, ['1', '2', '3'])])).toEqual([]);
});

it('results of budgets are said in the editor’s language', () => {
  const texts = [
    ...['attention <= 0.1 ms/step', 'attention <= 1 ms', 'attention <= 1 ms/call', 'kernel:sgemm <= 150 us/call'],
    ...['total no slower by 5 %', 'kernel:sgemm no slower by 100 %', 'op:sgemm <= 1 ms', 'total <= 1 x'],
  ].map(text => ({text, place: ''}));
  const results = [null, runs[0], runs[2]].flatMap(base => checkRunBudgets(texts, runs[1], base));
  expect(new Set(results.map(({verdict}) => verdict))).toEqual(new Set(['holds', 'broken', 'cannot tell']));
  expect(outside(results.map(({text}) => text))).toEqual([]);
});
