// @vitest-environment jsdom
import {expect, it} from 'vitest';
import type {SliceDurations} from '../../src/core/questions/slice-durations.js';
import {completePage, settle} from '../support/page.js';

completePage();
const {DurationsSection} = await import('../../webview/timeline/durations-section.js');

const durations = (ownNs: number): SliceDurations => ({
  ...{ownNs, shorter: 7, longer: 0},
  spread: {
    ...{count: 8, leastNs: 10_000, lowerNs: 10_750, medianNs: 12_000, upperNs: 13_250, mostNs: 300_000},
    ...{bins: [4, 3], binsToNs: 14_000, outliers: 1, outlierNs: 300_000, outlierAboveNs: 24_000},
    longest: [{slice: 5, startNs: 2_000_000, durationNs: 300_000}],
  },
});

function opened(of: (slice: number) => SliceDurations) {
  const [asked, gone]: [number[], number[]] = [[], []];
  const section = new DurationsSection(
    slice => {
      asked.push(slice);
      return Promise.resolve(of(slice));
    },
    slice => gone.push(slice),
  );
  document.body.replaceChildren(section.button, section.element);
  return {section, asked, gone};
}

const own = () => document.querySelector('.own line')?.getAttribute('x1');

it('asks for nothing before it is opened, then follows the selection, and marks its place', async () => {
  const {section, asked} = opened(slice => durations(slice === 1 ? 10_000 : 12_000));
  section.show(1);
  await settle();
  expect([asked.length, section.element.hidden]).toEqual([0, true]);
  section.button.click();
  await settle();
  expect(section.button.getAttribute('aria-expanded')).toBe('true');
  expect(own()).toBe('1');
  section.show(2);
  await settle();
  // Half of the way from 10 to 14 µs, of 520 px.
  expect(own()).toBe('260');
  expect(section.element.textContent).toContain('This one takes 12.0 µs: 7 take less, 0 take more.');
  expect(section.element.textContent).not.toContain('It is an outlier');
  section.show(null);
  expect(section.element.hidden).toBe(true);
  section.button.click();
  section.show(1);
  await settle();
  expect([asked, section.element.hidden]).toEqual([[1, 2], true]);
});

it('tells an outlier, marks it at the end, and leads to those that are', async () => {
  const {section, gone} = opened(() => durations(300_000));
  section.show(3);
  section.button.click();
  await settle();
  expect(own()).toBe('519');
  expect(section.element.textContent).toContain('It is an outlier.');
  expect(section.element.textContent).toContain('1 outlier above 24.0 µs');
  section.element.querySelector('button')?.click();
  expect(gone).toEqual([5]);
});

it('does not show an answer of a slice that is selected no more', async () => {
  const answers: ((durations: SliceDurations) => void)[] = [];
  const section = new DurationsSection(
    () => new Promise(resolve => answers.push(resolve)),
    () => undefined,
  );
  section.button.click();
  section.show(1);
  section.show(2);
  answers[1]?.(durations(12_000));
  await settle();
  answers[0]?.(durations(300_000));
  await settle();
  expect(section.element.textContent).toContain('This one takes 12.0 µs');
});
