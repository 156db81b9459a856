import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import type {Frame} from 'playwright-core';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {formatCount} from '../../src/core/format/count.js';
import {openedProfile} from './support/opened-profile.js';
import {accessibilityViolations} from './support/accessibility.js';
import {Workbench} from './support/workbench.js';

const profile = join(root, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const asked = ['query', profile, 'SELECT count(*) AS slices FROM slices', '--format', 'json'];
const answer = spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...asked], {encoding: 'utf8'}).stdout;
const [{slices: sliceCount}] = JSON.parse(answer) as [{slices: number}];

describe('Query profile with SQL', () => {
  let workbench: Workbench;
  let results: Frame;
  beforeAll(async () => {
    workbench = await Workbench.start({
      copyOf: join(root, 'media', 'sample'),
      files: {
        'slices.sql':
          '-- GPU Lens\nSELECT id, name, kind, duration_ns, NULL AS absent FROM slices ORDER BY id;\n\nSELECT nam FROM slices;\n\nWITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT max(x) FROM a;\n',
      },
    });
  });
  const summary = () => results.getByTestId('summary').textContent();
  const cells = async (row: number) => results.locator(`.body .row[data-row="${String(row)}"] .cell`).allTextContents();

  it('opens a query with one to begin with', async () => {
    await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
    await workbench.command('GPU Lens: Query Profile with SQL…');
    await expect
      .poll(() => workbench.codeLenses())
      .toContainEqual(expect.stringContaining('Run on train.pt.trace.json.gz'));
  });

  it('runs the statement at the cursor with Ctrl+Enter, and says where no row fits', async () => {
    await workbench.page.keyboard.press('Control+Enter');
    results = await workbench.webview('Query Results');
    await expect
      .poll(() => results.locator('.message').textContent())
      .toContain('No row of train.pt.trace.json.gz fits the query.');
    await workbench.screenshot('query-none');
  });

  it('runs the statement of a CodeLens, and shows its rows as they come into sight', async () => {
    await workbench.openFile('slices.sql');
    await workbench.codeLenses();
    await workbench.clickCodeLens('Run on train.pt.trace.json.gz');
    await expect.poll(summary).toMatch(new RegExp(`^${formatCount(sliceCount)} rows in [\\d.]+ s$`));
    await expect
      .poll(() => cells(0))
      .toEqual(['0', expect.anything(), expect.anything(), expect.stringMatching(/^\d+$/), 'NULL']);
    expect(await results.locator('.body .row').count()).toBeLessThan(100);
    await workbench.screenshot('query-rows');
  });

  it('goes to the last row by keyboard, sorts, and copies', async () => {
    const grid = results.getByRole('grid');
    await grid.focus();
    await grid.press('Control+End');
    await expect.poll(() => cells(sliceCount - 1)).toContain(String(sliceCount - 1));
    await results.getByRole('columnheader', {name: 'duration_ns'}).click();
    await grid.focus();
    await grid.press('Control+Home');
    await expect.poll(async () => Number((await cells(0))[3])).toBeGreaterThan(100_000_000);
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await results.getByText('Copy as Markdown').click();
    await expect.poll(summary).toBe('All rows: copied.');
    await workbench.screenshot('query-sorted');
  });

  it('makes columns wider and narrower by keys, and keeps the sign of the order where it was hidden meanwhile', async () => {
    const header = (name: string) => results.getByRole('columnheader', {name});
    const widthPx = async () => Math.round((await header('kind').boundingBox())?.width ?? NaN);
    const beforePx = await widthPx();
    const grid = results.getByRole('grid');
    await grid.press('Control+Home');
    await grid.press('Home');
    for (let press = 0; press < 2; press++) await grid.press('ArrowRight');
    for (let press = 0; press < 3; press++) await grid.press('Alt+ArrowRight');
    await expect.poll(widthPx).toBe(beforePx + 48);
    await grid.press('Alt+ArrowLeft');
    await expect.poll(widthPx).toBe(beforePx + 32);
    // Nothing was sorted on the way.
    const orders = () => results.getByRole('columnheader').evaluateAll(all => all.map(one => one.ariaSort));
    expect(await orders()).toEqual(['none', 'none', 'none', 'descending', 'none']);
    // In front of it, in the group that has the focus: VS Code throws a hidden page away.
    await workbench.openFile('README.md');
    await workbench.page.locator('.tab', {hasText: 'Query Results'}).click();
    results = await workbench.webview('Query Results');
    await expect.poll(orders).toEqual(['none', 'none', 'none', 'descending', 'none']);
    await expect.poll(async () => Number((await cells(0))[3])).toBeGreaterThan(100_000_000);
    expect(await accessibilityViolations(results)).toEqual([]);
  });

  it('says what SQLite does not understand, and what was perhaps meant', async () => {
    await workbench.clickCodeLens('Run on', 1);
    await expect
      .poll(() => results.locator('.message').textContent())
      .toContain('There is no column "nam": did you mean name?');
    await workbench.screenshot('query-failed');
  });

  it('cancels a query that never ends', async () => {
    await workbench.clickCodeLens('Run on', 2);
    await expect.poll(() => results.locator('.running').textContent()).toContain('Running on train.pt.trace.json.gz');
    await workbench.screenshot('query-running');
    await results.getByText('Cancel').click();
    await expect.poll(() => results.locator('.message').textContent()).toContain('The query was cancelled.');
  });

  it('keeps queries in a file: what was run is saved, and there again after its editor was closed', async () => {
    const tab = workbench.page.locator('.tab', {hasText: 'queries.gpu-lens.sql'});
    const focused = '.editor-group-container.active .monaco-editor.focused';
    const editor = workbench.page.locator(`${focused}[data-uri$="queries.gpu-lens.sql"]`);
    await tab.click();
    await editor.waitFor();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.insertText('SELECT 42 AS kept;');
    await expect.poll(async () => (await workbench.codeLenses()).length).toBe(2);
    await workbench.clickCodeLens('Run on', 1);
    await expect.poll(() => cells(0)).toEqual(['42']);
    await tab.and(workbench.page.locator(':not(.dirty)')).waitFor();
    await tab.click();
    await editor.waitFor();
    await workbench.page.keyboard.press('Control+w');
    await tab.waitFor({state: 'detached'});
    await workbench.command('GPU Lens: Query Profile with SQL…');
    await expect.poll(async () => (await workbench.codeLenses()).length).toBe(2);
  });
});
