import {readFileSync} from 'node:fs';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {isLongSuite} from '../support/long-tests.js';
import {hasSeeds, seedPath} from '../support/seeds.js';
import {openedProfile} from './support/opened-profile.js';
import {tick} from './support/tick.js';
import {everydayThemes, themes} from './support/themes.js';
import {Workbench} from './support/workbench.js';

const kernelCount = 10_000;
const longKernel = `kernel_1001<float, ${Array.from({length: 80}, (_, at) => `Type${String(at)}, `).join('')}int>`;

/** Two ranges: the kernels of `forward` are a thousand of one name, those of `backward` all have names of their own. */
function profile(): string {
  const launches = Array.from({length: kernelCount}, (_, at) => at + 1);
  const name = (id: number) => {
    if (id <= 1000) return 'ampere_sgemm_128x64_tn';
    // The longest of all, so that it is the first of its table.
    return id === 1001 ? longKernel : `kernel_${String(id)}<float>`;
  };
  return kinetoText(
    [
      kineto.range('forward', 0, 10_005),
      kineto.range('backward', 10_006, 90_100),
      kineto.op('aten::first', 9, 8),
      kineto.range('layer_0', 101_000, 10),
      kineto.range('layer_1', 101_020, 10),
      ...launches.flatMap(id => [
        kineto.call(id, 10 * id, 5),
        {...kineto.kernel(id, 10 * id + 6, 3 + (id % 3)), name: name(id)},
      ]),
    ],
    {deviceProperties: [{id: 0, name: 'A100'}]},
  );
}

/** Where both ranges are opened, one of them in two places. */
const source = [
  'from torch.profiler import record_function',
  'with record_function("forward"):',
  '    forward()',
  'with record_function("backward"):',
  '    backward()',
  'with record_function("backward"):',
  '    backward()',
].join('\n');

const rowsOf = (frame: Frame) => frame.locator('.body .row');

describe('the tables', () => {
  let workbench: Workbench;
  let frame: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'run.pt.trace.json': profile(),
        'train.py': source,
        'compiled.pt.trace.json': kinetoText([
          kineto.op('triton_poi_fused_0', 0, 50, {kernel_file: '/elsewhere/inductor/ab/cabc.py'}),
          kineto.call(1, 10, 5),
          {...kineto.kernel(1, 20, 30), name: 'triton_poi_fused_0'},
        ]),
        'inductor/ab/cabc.py': 'import triton\n\n@triton.jit\ndef triton_poi_fused_0(in_ptr0):\n    pass\n',
        ...(hasSeeds && {'notes.txt': readFileSync(seedPath('001'))}),
      },
      settings: {'gpuLens.profile': 'run.pt.trace.json'},
    });
    await openedProfile(workbench.page, 'run.pt.trace.json').waitFor();
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
    await rowsOf(frame).first().waitFor();
  });

  it('shows the kernels of a range in two clicks: which takes most, and how often it is called', async () => {
    await frame.locator('.body .row', {hasText: 'forward'}).locator('.cell').first().click();
    await workbench.screenshot('tables-ranges');
    await frame.getByText('Kernels of this range').click();
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('1 row');
    expect(await rowsOf(frame).first().innerText()).toMatch(/ampere_sgemm_128x64_tn[^]*1,000/);
    await workbench.screenshot('tables-kernels-of-range');
  });

  it('sorts by several columns, filters, and sums what is left', async () => {
    await frame.locator('[aria-label="Only work of this range"]').fill('');
    await frame.locator('[aria-label="Only work of this range"]').press('Enter');
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('9,001 rows');
    // The arrow says how the report is sorted before anybody has sorted it: a click turns that round.
    const time = frame.locator('.head .cell', {hasText: 'Total Time'});
    await expect.poll(() => time.getAttribute('aria-sort')).toBe('descending');
    await time.click();
    await expect.poll(() => time.getAttribute('aria-sort')).toBe('ascending');
    await time.click();
    await expect.poll(() => time.getAttribute('aria-sort')).toBe('descending');
    await frame.locator('.head .cell', {hasText: 'Name'}).click({modifiers: ['Shift']});
    await expect
      .poll(() => frame.locator('.head .cell', {hasText: 'Name'}).getAttribute('aria-sort'))
      .toBe('ascending');
    await tick(frame, 'Regex');
    await frame.getByLabel('Filter names').fill('^kernel_20[0-9]{2}<');
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('100 of 9,001 rows');
    expect(await frame.locator('.foot').innerText()).toContain('100');
    await frame.getByLabel('Filter names').fill('(');
    await frame.getByText('is not a regular expression').waitFor();
    await frame.getByLabel('Filter names').fill('');
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('9,001 rows');
  });

  it('scrolls ten thousand rows with the rows in sight alone in the page, by the keyboard too', async () => {
    await frame.locator('.grid').focus();
    await workbench.page.keyboard.press('Control+End');
    await expect.poll(() => rowsOf(frame).last().getAttribute('aria-rowindex')).toBe('9002');
    await expect.poll(() => rowsOf(frame).last().innerText()).toContain('kernel_');
    expect(await rowsOf(frame).count()).toBeLessThan(80);
    const frameMs = await frame.evaluate(async () => {
      const grid = document.querySelector('.grid');
      const longest: number[] = [];
      for (let step = 0; grid && step < 60; step++) {
        const startMs = performance.now();
        grid.scrollTop = step * 1500;
        await new Promise(resolve => requestAnimationFrame(resolve));
        longest.push(performance.now() - startMs);
      }
      return longest.sort((a, b) => a - b)[30] ?? 0;
    });
    process.stdout.write(
      `Scrolling 1,500 px of 9,001 rows: ${frameMs.toFixed(1)} ms to the next frame (median of 60).\n`,
    );
    await expect.poll(() => rowsOf(frame).first().innerText()).toContain('kernel_');
    await workbench.screenshot('tables-scrolled');
  });

  it('shortens names in the middle also where other texts stand before them', async () => {
    await frame.locator('[data-tab=kernel-grids]').click();
    await frame.getByLabel('Filter names').fill('kernel_1001<');
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('1 of 9,001 rows');
    await expect.poll(() => rowsOf(frame).first().innerText()).toMatch(/kernel_1001<float.*….*int>/);
    await expect.poll(() => rowsOf(frame).first().locator(`[title="${longKernel}"]`).count()).toBe(1);
    await frame.getByLabel('Filter names').fill('');
  });

  it('takes for ranges what is chosen, says so, and folds layers', async () => {
    await frame.locator('[data-tab=ranges]').click();
    await frame.locator('.body .row', {hasText: 'layer_0'}).waitFor();
    await tick(frame, 'operators');
    await frame.locator('.body .row', {hasText: 'aten::first'}).waitFor();
    const chosen = frame.getByTestId('ranges');
    await expect.poll(() => chosen.textContent()).toBe('ranges: record_function, operators');
    const names = frame.locator('.head .cell', {hasText: /^Range/});
    await names.click();
    await expect.poll(() => names.getAttribute('aria-sort')).toBe('ascending');
    await tick(frame, 'Fold names');
    await frame.locator('.body .row', {hasText: 'layer_*'}).locator('.cell').first().click();
    // There is a column more before it.
    expect(await names.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => chosen.textContent()).toBe('ranges: record_function, operators; names folded');
    await workbench.screenshot('tables-folded');
    await frame.getByText('Unfold', {exact: true}).click();
    await frame.locator('.body .row', {hasText: 'layer_1'}).waitFor();
    // Folded anew; the NVTX summary unfolds as well.
    await tick(frame, 'Fold names', false);
    await frame.locator('[data-tab=nvtx]').click();
    await tick(frame, 'Fold names');
    await frame.locator('.body .row', {hasText: 'layer_*'}).locator('.cell').first().click();
    await frame.getByText('Unfold', {exact: true}).click();
    await frame.locator('.body .row', {hasText: 'layer_1'}).waitFor();
    await frame.locator('[data-tab=ranges]').click();
    await tick(frame, 'Fold names', false);
    await tick(frame, 'operators', false);
    await expect.poll(() => chosen.textContent()).toBe('');
    await frame.locator('[data-tab=gpu-timeline]').click();
    await expect.poll(() => rowsOf(frame).first().innerText()).toContain('A100');
    await workbench.screenshot('tables-gpu-time');
  });

  it('shows how long each run of a kernel took', async () => {
    await frame.locator('[data-tab=kernels]').click();
    await frame.locator('.body .row', {hasText: 'ampere_sgemm'}).locator('.cell').first().click();
    await frame.getByText('Durations', {exact: true}).click();
    const panel = frame.locator('.durations');
    await expect.poll(() => panel.innerText()).toMatch(/1,000: median 4\.00 µs, half from 3\.00 µs to 5\.00 µs/);
    expect(await panel.innerText()).toContain('No outliers.');
    await workbench.screenshot('tables-durations');
    await panel.getByText('Close').click();
    await panel.waitFor({state: 'hidden'});
  });

  it('leads from a kernel to its callers in the flame graph', async () => {
    await frame.locator('[data-tab=kernels]').click();
    await frame.locator('.body .row', {hasText: 'ampere_sgemm'}).locator('.cell').first().click();
    await frame.getByText('Flame graph').click();
    const flame = await workbench.webview('GPU Flame Graph');
    await expect.poll(() => flame.getByRole('navigation').textContent()).toBe('ampere_sgemm_128x64_tn · GPU work');
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
  });

  it('are as they were when they were hidden', async () => {
    await frame.locator('[data-tab=ranges]').click();
    await tick(frame, 'operators');
    await frame.locator('.body .row', {hasText: 'aten::first'}).waitFor();
    await frame.getByText('Chart', {exact: true}).click();
    const counts = () => frame.getByTestId('counts').textContent();
    const all = await counts();
    await frame.getByLabel('Filter names').fill('aten');
    await expect.poll(counts).not.toBe(all);
    const filtered = await counts();
    // Before the command palette opens, Escape is pressed, which would empty the field.
    await frame.getByLabel('Filter names').blur();
    await workbench.command('GPU Lens: Show Flame Graph');
    await workbench.webview('GPU Flame Graph');
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
    await frame.locator('.chart .bar-row', {hasText: 'aten::first'}).waitFor();
    await expect.poll(() => frame.getByRole('checkbox', {name: 'operators'}).isChecked()).toBe(true);
    expect(await frame.getByLabel('Filter names').inputValue()).toBe('aten');
    expect(await counts()).toBe(filtered);
    await frame.getByLabel('Filter names').fill('');
    await expect.poll(counts).toBe(all);
    await frame.getByText('Table', {exact: true}).click();
    await tick(frame, 'operators', false);
    await expect.poll(() => frame.getByTestId('ranges').textContent()).toBe('');
  });

  it('leads from a kernel to the lines that launched it', async () => {
    const cursor = () => workbench.page.locator('.statusbar-item', {hasText: /^Ln \d+/}).textContent();
    await frame.locator('[data-tab=kernels]').click();
    await frame.locator('.body .row', {hasText: 'ampere_sgemm'}).locator('.cell').first().click();
    await frame.getByText('Source', {exact: true}).click();
    await expect.poll(cursor).toContain('Ln 2,');
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
    // Two lines open the other range: one of them is picked.
    await frame.locator('.body .row', {hasText: 'kernel_1001'}).locator('.cell').first().click();
    await frame.getByText('Source', {exact: true}).click();
    const picks = workbench.page.locator('.quick-input-list .monaco-list-row');
    await expect.poll(() => picks.count()).toBe(2);
    await expect
      .poll(() => picks.allTextContents())
      .toEqual([
        expect.stringMatching(/train\.py:4.*backward: .*, 1 kernel/),
        expect.stringMatching(/train\.py:6.*backward: .*, 1 kernel/),
      ]);
    await workbench.pick('train.py:6');
    await expect.poll(cursor).toContain('Ln 6,');
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
  });

  it.each(everydayThemes)('follows the theme %s', async theme => {
    const {webview: className} = themes[theme];
    await workbench.chooseTheme(theme);
    await expect.poll(() => frame.locator('body').getAttribute('class')).toMatch(new RegExp(`(^| )${className}( |$)`));
    await frame.locator('[data-tab=ranges]').click();
    await frame.locator('.body .row', {hasText: 'forward'}).locator('.cell').first().click();
    await workbench.screenshot(`tables-${className}`);
  });

  const copies = [
    ['Markdown', '| Count | GPU Work (ns) |'],
    ['CSV', 'Count,GPU Work (ns),'],
    ['text', 'Count  GPU Work (ns)'],
  ] as const;
  it.each(isLongSuite ? copies : copies.slice(0, 1))('copies what is shown as %s', async (format, header) => {
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
    await frame.locator('[data-tab=ranges]').click();
    await frame.locator('.body .row', {hasText: 'forward'}).waitFor();
    await frame.getByText(`Copy as ${format}`).click();
    await frame.getByText(/copied/i).waitFor();
    await workbench.command('File: New Untitled Text File');
    await workbench.page.locator('.tab.active', {hasText: 'Untitled'}).waitFor();
    await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('Control+V');
    await workbench.page.locator('.view-line', {hasText: header}).first().waitFor();
  });

  it('is worked by keys alone: walks, sorts, filters and opens', async () => {
    await workbench.command('GPU Lens: Show Tables');
    frame = await workbench.webview('GPU Tables');
    await frame.locator('[data-tab=kernels]').click();
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('9,001 rows');
    const grid = frame.locator('.grid');
    const cell = () => grid.getAttribute('aria-activedescendant');
    const columns = Number(await grid.getAttribute('aria-colcount'));
    await grid.focus();
    await grid.press('Control+Home');
    await expect.poll(cell).toMatch(/-head-0$/);
    await grid.press('ArrowDown');
    await grid.press('ArrowDown');
    await grid.press('ArrowRight');
    await expect.poll(cell).toMatch(/-cell-1-1$/);
    await grid.press('End');
    await expect.poll(cell).toMatch(new RegExp(`-cell-1-${String(columns - 1)}$`));
    await grid.press('Home');
    await grid.press('PageDown');
    await expect.poll(cell).toMatch(/-cell-([5-9]|\d\d)-0$/);
    await grid.press('PageUp');
    await expect.poll(cell).toMatch(/-cell-1-0$/);
    // The header is a row as others are: Enter on it sorts, and Shift adds a column.
    await grid.press('Control+Home');
    await grid.press('Enter');
    const sortOf = (at: number) => frame.locator('.head .cell').nth(at).getAttribute('aria-sort');
    await expect.poll(() => sortOf(0)).toBe('ascending');
    await expect.poll(() => rowsOf(frame).first().innerText()).toContain('ampere_sgemm');
    await grid.press('Control+Home');
    await grid.press('ArrowRight');
    await grid.press('Shift+Enter');
    await expect.poll(() => sortOf(1)).toBe('descending');
    expect(await sortOf(0)).toBe('ascending');
    await grid.press('Shift+Tab');
    await frame.getByLabel('Filter names').focus();
    await frame.getByLabel('Filter names').pressSequentially('kernel_1234<');
    await expect.poll(() => frame.locator('[data-testid=counts]').textContent()).toBe('1 of 9,001 rows');
    await grid.focus();
    await grid.press('Control+Home');
    await grid.press('ArrowDown');
    await grid.press('Enter');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect.poll(() => timeline.getByTestId('selection').textContent()).toMatch(/^kernel_1234</);
    await frame.getByLabel('Filter names').fill('');
  });

  it('leads from a Triton kernel without known lines to the file that the profile names', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'compiled.pt.trace.json');
    await workbench.command('GPU Lens: Show Tables');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('[data-tab=kernels]').click();
    await tables.locator('.body .row', {hasText: 'triton_poi_fused_0'}).locator('.cell').first().click();
    await tables.getByText('Source', {exact: true}).click();
    await workbench.page.locator('.tab.active', {hasText: 'cabc.py'}).waitFor();
    const cursor = workbench.page.locator('.statusbar-item', {hasText: /^Ln \d+/});
    await expect.poll(() => cursor.textContent()).toContain('Ln 4,');
  });

  it.skipIf(!hasSeeds)('shows the tables of a text that somebody kept, cut names marked', async () => {
    await workbench.command('GPU Lens: Open Profile…', 'notes.txt');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('[data-tab="text/3"]').click();
    await expect.poll(() => tables.locator('[data-testid=counts]').textContent()).toBe('25 rows');
    expect(await tables.locator('.cell.cut', {hasText: 'elementwise_kernel<128, 2, ...>'}).count()).toBeGreaterThan(4);
    await workbench.screenshot('tables-text');
    await tables.getByText('Chart', {exact: true}).click();
    const bars = tables.locator('.chart .bar-row');
    await expect.poll(() => bars.count()).toBe(25);
    const firstText = await bars.first().locator('.number').textContent();
    await tables.getByRole('combobox', {name: 'Column of the chart'}).click();
    await tables.getByRole('option', {name: '# of Calls', exact: true}).click();
    await expect.poll(() => tables.locator('.chart .caption').textContent()).toBe('# of Calls, 25 rows');
    expect(await bars.first().locator('.number').textContent()).not.toBe(firstText);
    await workbench.screenshot('tables-text-chart');
    // The list is walked by keys: the focus stays in it when the chart changes.
    const column = tables.getByRole('combobox', {name: 'Column of the chart'});
    const caption = tables.locator('.chart .caption');
    for (let step = 0; step < 2; step++) {
      const before = await caption.textContent();
      await workbench.page.keyboard.press('ArrowUp');
      await expect.poll(() => caption.textContent()).not.toBe(before);
      expect(await column.evaluate(list => list === document.activeElement)).toBe(true);
    }
    await tables.getByText('Table', {exact: true}).click();
    await expect.poll(() => tables.locator('.body .row').count()).toBe(25);
  });
});
