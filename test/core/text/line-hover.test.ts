import {describe, expect, it} from 'vitest';
import {lineHover} from '../../../src/core/text/line-hover.js';
import {commandLink, markdownText} from '../../../src/core/format/markdown-text.js';
import {provenanceText} from '../../../src/core/text/provenance.js';
import {sparkline} from '../../../src/core/format/sparkline.js';
import {lineDetails} from '../../../src/core/lines/line-details.js';
import {traceFromText} from '../../support/trace-from-text.js';

describe('markdownText(text)', () => {
  it.each([
    ['layer_0', 'layer\\_0'],
    ['[a](command:b)', '\\[a\\]\\(command\\:b\\)'],
    ['<img src=x> | `code` &amp; $(flame)', '\\<img src\\=x\\> \\| \\`code\\` \\&amp\\; \\$\\(flame\\)'],
    ['two\r\nlines\u2028three', 'two lines three'],
    ['https://example.org', 'https\\:\\/\\/example\\.org'],
    ['größe 層', 'größe 層'],
  ])('of %j is %j', (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });
});

it('commandLink(command, args) is one address, whatever is in the arguments', () => {
  const link = commandLink('gpuLens.x', [[['a)](command:b) "c" \' ']]]);
  expect(link).toMatch(/^command:gpuLens\.x\?[\w%.~!*-]+$/);
  expect(JSON.parse(decodeURIComponent(link.slice('command:gpuLens.x?'.length)))).toEqual([
    [['a)](command:b) "c" \' ']],
  ]);
});

it('sparkline(values) goes from nothing to the largest', () => {
  expect(sparkline([0, 1, 2, 4, 7])).toBe('▁▂▃▅█');
  expect([sparkline([]), sparkline([0, 0])]).toEqual(['', '▁▁']);
});

it('lineHover(details, per) is a table of figures, and one of kernels', () => {
  const trace = traceFromText(`
range step_1      =========
range step_2               =========
range la|er        == ==   ======
call            A  B  C     D     E
stream 7         AA  BBBBCC  DDDD  EEEE
`);
  expect(lineHover(lineDetails(trace, [['la|er']], 'steps'), 'step')).toBe(`**la\\|er**

| | per step |
| :-- | :-- |
| GPU work | 5.00 µs (71.4 %) |
| GPU busy | 5.00 µs |
| GPU span | 5.00 µs |
| launches | 1.5 of 1.5 operations |
| CPU wall | 5.00 µs |
| instances | 1.5 |
| work of one | min 2.00 µs · median 4.00 µs · max 4.00 µs |
| wall of one | min 2.00 µs · median 2.00 µs · max 6.00 µs |
| by step | █▆ 4.00 µs to 6.00 µs |

| kernel | GPU work | |
| :-- | --: | --: |
| kernel\\_B | 2.00 µs/step | ×0.5 |
| kernel\\_D | 2.00 µs/step | ×0.5 |
| kernel\\_C | 1.00 µs/step | ×0.5 |`);
});

it('lineHover(details, per) names the worst of several ranges', () => {
  const trace = traceFromText(`
range layer_0    =====
range layer_1          =====
call              A     B
stream 7           AAA   BBBBBBBBBBBB
`);
  const text = lineHover(lineDetails(trace, [['layer_', '']], 'steps'), 'step');
  expect(text).toContain('**2 ranges**, summed');
  expect(text).toContain('Most: layer\\_1 12.0 µs, least: 3.00 µs');
});

it('provenanceText(provenance) says where the figures come from', () => {
  const info = {profiler: 'PyTorch profiler', version: null, devices: [{id: 0, name: 'NVIDIA H100'}]};
  const sidecar = {
    torch: '2.13.0',
    python: '3.11.7',
    gitCommit: '1a2b3c4d5e6f',
    recordedAt: '2026-11-21T20:15:31+00:00',
  };
  expect(provenanceText({name: 'train.json', info, sidecar, writtenMs: NaN})).toBe(
    'train.json · PyTorch profiler · torch 2.13.0, Python 3.11.7 · NVIDIA H100 · commit 1a2b3c4d · 2026-11-21 20:15 UTC',
  );
  expect(provenanceText({name: 'x.sqlite', info: {...info, devices: []}, sidecar: null, writtenMs: 0})).toBe(
    'x.sqlite · PyTorch profiler · no GPU · 1970-01-01 00:00 UTC',
  );
});
