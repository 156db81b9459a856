// @vitest-environment jsdom
import {beforeEach, expect, it} from 'vitest';
import {compareFlames} from '../../src/core/compare/compare-flames.js';
import {compareRuns} from '../../src/core/compare/run-comparison.js';
import {compareMany} from '../../src/core/compare/run-matrix.js';
import type {ComparisonHostRequests, ComparisonViewRequests} from '../../src/protocol/comparison-messages.js';
import type {FileToSave} from '../../src/protocol/view-messages.js';
import {runOf} from '../support/compared-runs.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {traceFromText} from '../support/trace-from-text.js';

completePage();
const {ComparisonView} = await import('../../webview/compare/comparison-view.js');

const traceOf = (kernels: string) =>
  runOf(
    traceFromText(`
      range <b>attn</b>   ====
      call                AB
      stream 7             ${kernels}
    `),
  );
const [base, changed, third] = ['AABB', 'AAAABB', 'AAABB'].map(traceOf) as [
  ReturnType<typeof traceOf>,
  ReturnType<typeof traceOf>,
  ReturnType<typeof traceOf>,
];
const comparison = compareRuns(base, changed);
const flames = compareFlames(base, changed, {}, comparison.noise.betweenRuns, true);
const names = ['before <1>', 'after'] as const;
/** The contents of two profiles that are compared. */
const pair = {state: 'pair', names, comparison, flames, hasTimelines: true, isByShapes: false} as const;

beforeEach(() => {
  document.body.replaceChildren();
});

async function opened() {
  const host = new TestHost<ComparisonHostRequests, ComparisonViewRequests>({'view/ready': () => undefined});
  new ComparisonView(host.host, document.body).start();
  await settle();
  return host;
}

const buttonCalled = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('vscode-button, button')].find(one => one.textContent === text);
const detailsText = () => document.querySelector('[data-testid=selection]')?.textContent ?? '';

it('says that nothing is compared, then the verdict and the rows of two runs, names as text', async () => {
  const host = await opened();
  expect(document.querySelector('.message:not([hidden])')?.textContent).toContain('Nothing is compared.');
  await host.tell('comparison/content', pair);
  expect(document.querySelector('.title')?.textContent).toBe('after compared with before <1>');
  expect(document.querySelector('[data-testid=verdict]')?.textContent).toContain('4.00 µs before, 6.00 µs after');
  const rows = [...document.querySelectorAll('[role=grid][aria-label=Kernels] .body .row')].map(row => row.textContent);
  expect(rows[0]).toContain('+2.00 µs');
  expect(document.querySelector('b')).toBeNull();
});

it('has the flame graph of the change: by time after or before, in all or of a call', async () => {
  const host = await opened();
  await host.tell('comparison/content', pair);
  buttonCalled('Flame Graph')?.click();
  expect(document.querySelector('.flame')?.hasAttribute('hidden')).toBe(false);
  expect(document.querySelector('.rows')?.hasAttribute('hidden')).toBe(true);
  expect(detailsText()).toContain('GPU work in all: 4.00 µs before, 6.00 µs after');
  expect(detailsText()).toContain('100 % of all after');
  buttonCalled('Swap')?.click();
  expect(detailsText()).toContain('100 % of all before');
  const measure = document.querySelector<HTMLInputElement>('vscode-dropdown[aria-label=Change]');
  if (!measure) throw new Error('There is a choice.');
  measure.value = 'call';
  measure.dispatchEvent(new Event('change'));
  expect(detailsText()).toContain('GPU work a call: 2.00 µs before, 3.00 µs after');
});

const shapesBox = () => {
  const box = document.querySelector<HTMLElement & {checked: boolean}>('vscode-checkbox');
  if (!box) throw new Error('There is a choice.');
  return box;
};
/** As in the toolkit, a box tells of each change of its state, also of one that the page made. */
function toolkitBox(box: HTMLElement & {checked: boolean}): HTMLElement & {checked: boolean} {
  let isOn = box.checked;
  Object.defineProperty(box, 'checked', {
    get: () => isOn,
    set: (next: boolean) => {
      if (isOn === next) return;
      isOn = next;
      box.dispatchEvent(new Event('change'));
    },
  });
  return box;
}
const said = () => document.querySelector('.bar [aria-live]')?.textContent;

it('matches operators by shapes when asked, and says why if it cannot', async () => {
  const host = await opened();
  await host.tell('comparison/content', pair);
  const box = toolkitBox(shapesBox());
  expect([box.textContent, box.checked, box.hidden]).toEqual(['Operators by shapes', false, false]);
  const tick = async (isOn: boolean) => {
    box.checked = isOn;
    await settle();
  };
  await tick(true);
  expect(said()).toBe('Reading the shapes of operators…');
  const [asked] = host.asked('shapes/choose');
  expect(asked?.params).toEqual({isByShapes: true});
  await host.tell('comparison/content', {...pair, isByShapes: true});
  asked?.answer(true);
  await settle();
  // The choice is the same element, which keeps the keyboard's focus.
  expect([shapesBox() === box, box.checked, said()]).toEqual([true, true, '']);
  await tick(false);
  await host.tell('comparison/content', pair);
  host.asked('shapes/choose')[1]?.answer(true);
  await tick(true);
  host.asked('shapes/choose')[2]?.answer(false);
  await settle();
  expect([box.checked, said()]).toEqual([
    false,
    'A profile has no recorded shapes (record_shapes=True): operators are matched by name.',
  ]);
  await tick(true);
  host.asked('shapes/choose')[3]?.fail('The file is gone.');
  await settle();
  expect([box.checked, said()]).toEqual([false, 'The file is gone.']);
  // The page asks for what the user chose, and for nothing else.
  expect(host.asked('shapes/choose').map(({params}) => params)).toEqual(
    [true, false, true, true].map(isByShapes => ({isByShapes})),
  );
});

it('offers no shapes for printed tables, nor for several runs', async () => {
  const host = await opened();
  await host.tell('comparison/content', {...pair, hasTimelines: false});
  expect(shapesBox().hidden).toBe(true);
  const matrix = compareMany([base, changed, third]);
  await host.tell('comparison/content', pair);
  await host.tell('comparison/content', {state: 'matrix', names: ['one', 'two', 'three'], matrix});
  expect(shapesBox().hidden).toBe(true);
});

it('copies the page as Markdown, and saves it as HTML with the flame graph', async () => {
  const host = await opened();
  await host.tell('comparison/content', pair);
  buttonCalled('Copy as Markdown')?.click();
  expect((host.asked('clipboard/write')[0]?.params as {text: string}).text).toContain('# after compared');
  buttonCalled('Save as HTML…')?.click();
  const {content} = host.asked('file/save')[0]?.params as FileToSave;
  expect(content).toContain('<h2>Flame graph of the change</h2>');
});

it('shows three runs side by side with the best and the worst of each row, and copies them', async () => {
  const host = await opened();
  const matrix = compareMany([base, changed, third]);
  await host.tell('comparison/content', {state: 'matrix', names: ['one', 'two', 'three'], matrix});
  const cells = [...document.querySelectorAll('[role=grid][aria-label="GPU work in all"] .body .cell')];
  const seen = cells.map(cell => [cell.textContent, cell.className, cell.getAttribute('aria-label')]);
  expect(seen).toEqual([
    ['total', expect.stringMatching(/\btext\b/), null],
    ['4.00 µs', 'cell best', '4.00 µs, best'],
    ['6.00 µs', 'cell worst', '6.00 µs, worst'],
    ['5.00 µs', 'cell', null],
  ]);
  expect(document.querySelector('.tabs')?.hasAttribute('hidden')).toBe(true);
  buttonCalled('Copy as Markdown')?.click();
  const {text} = host.asked('clipboard/write')[0]?.params as {text: string};
  expect(text).toContain('| total | **4.00 µs** | _6.00 µs_ | 5.00 µs |');
});

it('sorts rows by what a header says, has all of them, and keeps the order when the view is opened again', async () => {
  const many = traceFromText(`
    stream 7        ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef
  `);
  const rows = compareRuns(runOf(many), runOf(many));
  const kernels = () => [
    ...document.querySelectorAll<HTMLElement>('[role=grid][aria-label=Kernels] .body .cell:first-child'),
  ];
  const header = () =>
    document.querySelector<HTMLElement>('[role=grid][aria-label=Kernels] .head .cell:first-child') ?? document.body;
  const host = await opened();
  await host.tell('comparison/content', {...pair, comparison: rows});
  expect(document.querySelector('[role=grid][aria-label=Kernels]')?.getAttribute('aria-rowcount')).toBe('33');
  header().click();
  header().click();
  const first = kernels()[0]?.textContent;
  expect(first).toBe('kernel_f');
  document.body.replaceChildren();
  const again = new TestHost<ComparisonHostRequests, ComparisonViewRequests>({'view/ready': () => undefined});
  again.stored = host.stored;
  new ComparisonView(again.host, document.body).start();
  await again.tell('comparison/content', {...pair, comparison: rows});
  expect(kernels()[0]?.textContent).toBe(first);
});
