// @vitest-environment jsdom
import {expect, it} from 'vitest';
import type {FlameQuery} from '../../src/core/flame/flame-graph.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {completePage, settle} from '../support/page.js';
import {traceFromText} from '../support/trace-from-text.js';

completePage();
const {CallersPanel} = await import('../../webview/flame/callers-panel.js');

const trace = traceFromText(`
  range <b>step    ==================
  op aten::addmm    ===  ===
  op aten::relu             ===
  call              A     B C
  stream 7            AAA   BBBBCC
`);
const query: FlameQuery = {weight: 'gpu-work', isFolded: false};

it('CallersPanel lists the callers and callees of a name, walks on by a row, and copies exact numbers', async () => {
  const asked: FlameQuery[] = [];
  const copied: string[] = [];
  const panel = new CallersPanel({
    read: wanted => {
      asked.push(wanted);
      return Promise.resolve(flameGraph(trace, wanted));
    },
    copy: text => copied.push(text),
  });
  panel.follow(query, 'aten::addmm');
  panel.toggle();
  await panel.show(query, 'aten::addmm');
  // While it was closed nothing was asked.
  expect(asked).toEqual([{...query, mode: 'sandwich', focus: 'aten::addmm'}]);
  const rows = () =>
    [...panel.element.querySelectorAll('.body .row')].map(row =>
      [...row.children].map(cell => cell.textContent).join(' | '),
    );
  expect(panel.element.querySelector('p')?.textContent).toBe('GPU work 7.00 µs · 2 GPU operations');
  expect(rows()).toEqual([
    '7.00 µs | 100 % | 2 | <b>step',
    '4.00 µs | 57.1 % | 1 | kernel_B',
    '3.00 µs | 42.9 % | 1 | kernel_A',
  ]);
  [...panel.element.querySelectorAll('vscode-button')].at(-1)?.dispatchEvent(new Event('click'));
  expect(copied).toEqual([
    'Of,Side,Name,GPU work (ns),GPU operations\n' +
      'aten::addmm,caller,<b>step,7000,2\n' +
      'aten::addmm,callee,kernel_B,4000,1\n' +
      'aten::addmm,callee,kernel_A,3000,1\n',
  ]);
  panel.element.querySelector('.body .cell')?.dispatchEvent(new Event('click', {bubbles: true}));
  await settle();
  expect(panel.element.querySelector('h2')?.textContent).toBe('<b>step');
  expect(rows()[0]).toBe('9.00 µs | 100 % | 3 | (no caller)');
  await panel.show(query, 'nothing');
  expect(panel.element.textContent).toBe('No block of this flame graph is called "nothing".');
});
