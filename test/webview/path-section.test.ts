// @vitest-environment jsdom
import {expect, it} from 'vitest';
import {completePage} from '../support/page.js';

completePage();
// It needs the page when it is read.
const {PathSection} = await import('../../webview/summary/path-section.js');

const rows = (count: number) => Array.from({length: count}, (_, at) => ({name: `row ${String(at)}`, ns: 1000}));

it('PathSection shows the shares by what is chosen, says how many rows are left out, and hides where there is no path', () => {
  const section = new PathSection();
  document.body.append(section.element);
  expect(section.element.hidden).toBe(true);
  const shares = {kind: [{name: '<b>wait</b>', ns: 4000}], class: rows(20), line: [], module: []};
  section.show({window: 'step 5', windowNs: 16_000, pathNs: 8000, shares});
  const text = () => section.element.textContent;
  expect(text()).toContain('Critical path of step 5');
  expect(text()).toContain('8.00 µs of 16.0 µs (50.0 %)');
  // A name is text.
  expect(text()).toContain('<b>wait</b>');
  expect([...section.element.querySelectorAll('td')].map(({textContent}) => textContent)).toEqual([
    '4.00 µs',
    '50.0 %',
  ]);

  const list = section.element.querySelector<HTMLSelectElement>('select, vscode-dropdown');
  if (!list) throw new RangeError('There is no list.');
  list.value = 'class';
  list.dispatchEvent(new Event('change'));
  expect(section.element.querySelectorAll('tbody tr')).toHaveLength(12);
  expect(text()).toContain('8 more rows: gpu-lens critical-path FILE --by class.');
  section.hide();
  expect(section.element.hidden).toBe(true);
});
