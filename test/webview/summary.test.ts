import {expect, it} from 'vitest';
import {timeParts} from '../../src/core/summary/time-parts.js';
import {traceTabs} from '../../src/core/tabs/tab-list.js';
import {timeSummary} from '../../src/core/summary/time-summary.js';
import {partRows, summaryHeadline} from '../../src/core/summary/summary-text.js';
import {drawSummary, summaryHeightPx, summaryWidthPx} from '../../webview/summary/draw-summary.js';
import {recordingContext} from '../support/recording-context.js';
import {traceOfEvents} from '../support/trace-of-events.js';
import {trainingProgram} from '../support/training-program.js';
import {exactNs} from '../../webview/summary/exact-ns.js';
import {isHatched, partColors} from '../../webview/shared/part-colors.js';
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

it('drawSummary(context, picture, theme) draws each part as wide as its share, each step, and every figure', async () => {
  const summary = timeSummary(await traceOfEvents(trainingProgram().events));
  const rows = partRows(summary, null);
  const picture = {
    ...{name: 'run', facts: '6 steps', headline: summaryHeadline(summary), title: 'An average step', rows},
    ...{parts: summary.parts.map(({part}) => part), columns: summary.columns},
  };
  const theme = {
    ...{isDark: true, isHighContrast: false, background: '#000', foreground: '#fff', muted: '#aaa', border: '#333'},
    ...{focus: '#00f', selection: '#fff', path: '#f00', headerBackground: '#111', font: 'sans-serif'},
  };
  const {context, calls} = recordingContext();
  drawSummary(context, picture, theme);
  const rects = calls.filter(({method}) => method === 'fillRect').map(({args}) => args as number[]);
  const inBar = rects.filter(([, yPx, , heightPx]) => yPx === 196 && heightPx === 30);
  const wholeNs = rows.reduce((sum, {ns}) => sum + ns, 0);
  expect(inBar).toHaveLength(rows.length);
  inBar.forEach(([, , widthPx = 0], at) => {
    expect(widthPx / (summaryWidthPx - 48)).toBeCloseTo((rows[at]?.ns ?? NaN) / wholeNs, 9);
  });
  for (const [xPx = 0, yPx = 0, widthPx = 0, heightPx = 0] of rects) {
    expect(xPx + widthPx).toBeLessThanOrEqual(summaryWidthPx);
    expect(yPx + heightPx).toBeLessThanOrEqual(summaryHeightPx(picture) + 1e-9);
  }
  const texts = calls.filter(({method}) => method === 'fillText').map(({args: [text]}) => text);
  for (const {title, time, share} of rows) for (const text of [title, time, share]) expect(texts).toContain(text);
  for (const {figure} of picture.headline) expect(texts).toContain(figure);
});
