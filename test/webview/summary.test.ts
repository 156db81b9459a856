import {expect, it} from 'vitest';
import {timeParts} from '../../src/core/summary/time-parts.js';
import {traceTabs} from '../../src/core/tabs/tab-list.js';
import {exactNs} from '../../webview/summary/exact-ns.js';
import {isHatched, partColors} from '../../webview/summary/part-colors.js';
import {tabOfPart} from '../../webview/summary/tab-of-part.js';
import {blockColors} from '../../webview/timeline/block-colors.js';

it('every part of the summary leads to a table that there is, or to none', () => {
  const tabs = new Set(traceTabs.map(({id}) => id));
  for (const part of timeParts) {
    const tab = tabOfPart(part);
    if (tab !== null) expect(tabs).toContain(tab);
  }
});

it.each([
  {isDark: true, isHighContrast: false},
  {isDark: false, isHighContrast: false},
  {isDark: true, isHighContrast: true},
  {isDark: false, isHighContrast: true},
])(
  'parts of the summary have colours of their own, and idle ones a pattern besides, in $isDark $isHighContrast',
  theme => {
    const ofGpu = timeParts.filter(part => !part.startsWith('cpu/'));
    expect(new Set(ofGpu.map(part => partColors(part, theme).fill)).size).toBe(ofGpu.length);
    expect(timeParts.filter(isHatched)).toEqual([
      ...['idle/loader', 'idle/allocation', 'idle/wait', 'idle/launch', 'idle/other', 'outside'],
    ]);
  },
);

it('a class of kernels has one colour in the summary and in the timeline', () => {
  const theme = {isDark: true, isHighContrast: false};
  expect(partColors('elementwise', theme)).toEqual(
    blockColors('kernel', 'vectorized_elementwise_kernel', 'class', theme),
  );
});

it('exactNs(ns) has every digit of a time', () => {
  expect(exactNs(1_027_773_000)).toBe('1,027,773,000 ns');
});
