import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import Database from 'better-sqlite3';
import {tmpdir} from 'node:os';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';
import {rocprofText} from '../support/rocprof-records.js';
import {writeStandInNsys} from '../support/stand-in-nsys.js';
import {groupHeightPx, laneHeightPx} from '../../src/core/layout/timeline-rows.js';
import {overviewPx, rulerPx} from '../../webview/timeline/timeline-state.js';
import {activeProfile, openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const trace = kinetoText([
  kineto.range('<img src=x onerror=alert(1)>', 0, 100),
  kineto.call(9, 20, 5),
  kineto.kernel(9, 30, 40),
]);

function database(sql: string): Uint8Array {
  const path = join(mkdtempSync(join(tmpdir(), 'gpu-lens-db-')), 'x.sqlite');
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return readFileSync(path);
}

const tools = temporaryFolder();
const exported = join(tools, 'exported.sqlite');
/** The stand-in for nsys goes on with its export once this file is there. */
const goOn = join(tools, 'go-on');
writeFileSync(exported, database(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8')));

describe('opening files', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'plain.pt.trace.json': trace,
        'packed.pt.trace.json.gz': gzipSync(trace),
        'other-name.json': trace,
        'cut.pt.trace.json': trace.slice(0, -60),
        'people.sqlite': database('create table people (name text)'),
        'picture.sqlite': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
        'report.nsys-rep': 'NVIDIA Tegra Profiler Report 2024@6@2@225-246\0',
        'newer.nsys-rep': 'NVIDIA Tegra Profiler Report 2026@2@1@225-246\0',
        'empty.pt.trace.json': '',
        'tagged.py':
          'from torch.profiler import record_function\n\nwith record_function("<img src=x onerror=alert(1)>"):\n    pass\n',
        '[click](command:workbench.action.toggleSidebarVisibility).sqlite': 'no database',
      },
      settings: {'gpuLens.nsys': writeStandInNsys(join(tools, 'nsys'), '2025.1.1', exported, goOn)},
    });
  });

  const body = async () => (await (await workbench.webview('GPU Timeline')).locator('body').textContent()) ?? '';

  it.each(['plain.pt.trace.json', 'packed.pt.trace.json.gz'])(
    'shows the timeline of %s on a double click',
    async name => {
      await workbench.page.locator('.explorer-folders-view .monaco-list-row', {hasText: name}).dblclick();
      await workbench.page.locator('.tab.active', {hasText: name}).waitFor();
      await expect.poll(body).toContain(`${name}100 µs · GPU busy 40.0 µs, idle 0 %`);
    },
  );

  it('shows names from a file as text, never as markup', async () => {
    const timeline = await workbench.webview('GPU Timeline');
    const canvas = timeline.locator('canvas');
    // Below the overview and the ruler: two rows of the GPU, then the thread's.
    const rowPx = laneHeightPx + 6;
    const y = overviewPx + rulerPx + groupHeightPx + 2 * rowPx + groupHeightPx + rowPx / 2;
    await canvas.hover({position: {x: 500, y}});
    await expect.poll(() => timeline.getByRole('tooltip').textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await timeline.locator('img').count()).toBe(0);
    await workbench.screenshot('files-markup');
  });

  it('shows the GPU work of a line, its share, CPU time and count above it', async () => {
    await workbench.openFile('tagged.py');
    await expect.poll(() => workbench.codeLenses()).toEqual(['GPU 40.0 µs/call · 100 % · ×1']);
    await workbench.screenshot('files-gpu-codelens');
    await workbench.openFile('packed.pt.trace.json.gz');
  });

  it('opens any JSON through "Open Profile…" in the explorer’s context menu', async () => {
    const row = workbench.page.locator('.explorer-folders-view .monaco-list-row', {hasText: 'other-name.json'});
    await workbench.pickInMenu(row, 'Open Profile…');
    await openedProfile(workbench.page, 'other-name.json').waitFor();
    await workbench.page.locator('.panel .composite.title, .part.panel').first().waitFor();
    await workbench.screenshot('files-context-menu');
  });

  it('opens a file through "Open Profile…" in the palette', async () => {
    await workbench.command('GPU Lens: Open Profile', 'plain.pt.trace.json');
    await openedProfile(workbench.page, 'plain.pt.trace.json').waitFor();
  });

  it('reads a file again that has changed', async () => {
    writeFileSync(join(workbench.workspace, 'plain.pt.trace.json'), trace.replaceAll('"dur": 40', '"dur": 30'));
    await workbench.command('GPU Lens: Open Profile', 'plain.pt.trace.json');
    await openedProfile(workbench.page, 'plain.pt.trace.json · GPU work 30.0 µs').waitFor();
  });

  it('shows what was read of a file that is cut off, with a note', async () => {
    await workbench.openFile('cut.pt.trace.json');
    await expect.poll(body).toContain('The file is cut off. GPU Lens shows the events before the cut.');
    await workbench.screenshot('files-cut');
  });

  it('says in a file’s own editor that it was closed, and opens it again', async () => {
    await workbench.openFile('packed.pt.trace.json.gz');
    await openedProfile(workbench.page, 'packed.pt.trace.json.gz').waitFor();
    await workbench.command('GPU Lens: Close Profile');
    await expect.poll(body).toContain('packed.pt.trace.json.gz was closed.');
    const timeline = await workbench.webview('GPU Timeline');
    await timeline.locator('vscode-button', {hasText: 'Open again'}).click();
    await expect.poll(body).toContain('GPU busy 40.0 µs');
  });

  it.each([
    ['people.sqlite', 'people.sqlite is an SQLite database, but not an Nsight Systems export.', true],
    [
      'picture.sqlite',
      'GPU Lens cannot open picture.sqlite. It opens Nsight Systems exports, texts with tables that nsys stats or PyTorch printed, rocprofv3 profiles and PyTorch profiler traces.',
      true,
    ],
    ['newer.nsys-rep', 'newer.nsys-rep was written by Nsight Systems 2026.2.1, and ', false],
    ['empty.pt.trace.json', 'empty.pt.trace.json is empty.', false],
  ])('says in one sentence what %s is', async (name, sentence, hasOpenWith) => {
    await (name.endsWith('.sqlite') ? workbench.openWithTimeline(name) : workbench.openFile(name));
    await expect.poll(body).toContain(sentence);
    const timeline = await workbench.webview('GPU Timeline');
    expect(await timeline.locator('vscode-button', {hasText: 'Open with…'}).count()).toBe(hasOpenWith ? 1 : 0);
    await workbench.screenshot(`files-${name}`);
  });

  it('opens a report of Nsight Systems through nsys, with progress', async () => {
    await workbench.openFile('report.nsys-rep');
    await expect.poll(body).toContain('Exporting report.nsys-rep with nsys: 10 %');
    await workbench.screenshot('files-exporting');
    writeFileSync(goOn, '');
    await expect.poll(body).toContain('report.nsys-rep');
    const timeline = await workbench.webview('GPU Timeline');
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 3.40 µs');
    await workbench.screenshot('files-report.nsys-rep');
  });

  it('offers the other editors with "Open with…"', async () => {
    await workbench.openWithTimeline('people.sqlite');
    const timeline = await workbench.webview('GPU Timeline');
    await timeline.locator('vscode-button', {hasText: 'Open with…'}).click();
    await workbench.page.locator('.quick-input-list .monaco-list-row', {hasText: 'Text Editor'}).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('shows a file’s name as text in a message, even if it could be a link', async () => {
    const name = '[click](command:workbench.action.toggleSidebarVisibility).sqlite';
    await workbench.command('GPU Lens: Open Profile', name);
    const message = workbench.notification('GPU Lens cannot open');
    await message.waitFor();
    expect(await message.locator('.notification-list-item-message a').count()).toBe(0);
    await workbench.page.keyboard.press('Escape');
  });

  it('shows a failure of the palette’s command as a message with "Show Log"', async () => {
    await workbench.command('GPU Lens: Open Profile', 'people.sqlite');
    const notification = workbench.notification('people.sqlite is an SQLite database');
    await notification.waitFor();
    await workbench.screenshot('files-message');
    await notification.getByText('Show Log').click();
    await workbench.page.locator('.part.panel', {hasText: 'Output'}).waitFor();
  });

  it('shows the profile whose editor comes to the front in the status bar', async () => {
    for (const name of ['packed.pt.trace.json.gz', 'plain.pt.trace.json', 'packed.pt.trace.json.gz']) {
      await workbench.page.locator('.tab', {hasText: name}).click();
      await openedProfile(workbench.page, name).waitFor();
    }
  });

  it('closes and switches profiles from the status bar', async () => {
    await workbench.openFile('plain.pt.trace.json');
    await openedProfile(workbench.page, '.json').locator('a', {hasText: 'GPU work'}).click();
    await workbench.pick('packed.pt.trace.json.gz');
    await openedProfile(workbench.page, 'packed.pt.trace.json.gz').waitFor();
    await workbench.command('GPU Lens: Close Profile');
    await expect.poll(() => activeProfile(workbench.page, 'packed.pt.trace.json.gz').count()).toBe(0);
  });
});

describe('files that other programs own as well', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'packed.json.gz': gzipSync(trace),
        'other.json.gz': gzipSync('{"name": "no trace"}'),
        'run.log': [
          '| Name | Self CPU % | Self CPU | CPU total % | CPU total | CPU time avg | # of Calls |',
          '| --- | --- | --- | --- | --- | --- | --- |',
          '| aten::mm | 50.00% | 1.000ms | 50.00% | 1.000ms | 1.000ms | 1 |',
        ].join('\n'),
        'notes.md': '# Notes\n',
        'train.py': 'import torch\n',
        'started.py': 'import model\n',
        'plain.py': 'print(1)\n',
        'run.sh': 'python "$DIR"/started.py --size 7b\n',
        'clean.sh': 'rm -rf out\n',
        '4711_results.json': rocprofText(),
        'packed_results.json.gz': gzipSync(rocprofText()),
      },
    });
  });

  it('leave the timeline empty, with two buttons, as long as none is opened', async () => {
    await workbench.command('GPU Lens: Show Timeline');
    const timeline = await workbench.webview('GPU Timeline', 'panel');
    await expect
      .poll(() => timeline.locator('.message vscode-button').allTextContents())
      .toEqual(['Open Profile…', 'Profile model step']);
    await workbench.screenshot('timeline-empty');
  });

  it.each([
    ['packed.json.gz', 'Open in GPU Lens', 1],
    ['other.json.gz', 'Open in GPU Lens', 0],
    ['run.log', 'Open in GPU Lens', 1],
    ['notes.md', 'Open in GPU Lens', 0],
    ['train.py', 'Profile model step', 1],
    ['started.py', 'Profile model step', 1],
    ['plain.py', 'Profile model step', 0],
    ['run.sh', 'Profile model step', 1],
    ['clean.sh', 'Profile model step', 0],
  ])('%s has the button "%s" %i times', async (name, title, count) => {
    await workbench.openFile(name);
    const button = workbench.editorButton(title);
    if (count > 0) await button.waitFor();
    else await expect.poll(() => button.count()).toBe(0);
    await workbench.screenshot(`files-button-${name}`);
  });

  it('stay with the editor that the person has for them until the button is clicked', async () => {
    await workbench.openFile('packed.json.gz');
    await workbench.page.getByText('The file is not displayed in the text editor').first().waitFor();
    await workbench.clickEditorButton('Open in GPU Lens');
    const timeline = await workbench.webview('GPU Timeline');
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 40.0 µs');
    await workbench.openFile('run.log');
    await workbench.clickEditorButton('Open in GPU Lens');
    const tables = await workbench.webview('GPU Tables');
    await tables.locator('.body .row', {hasText: 'aten::mm'}).waitFor();
  });

  it('of rocprofv3 open as a timeline with their GPU and figures by the button that their beginning brings', async () => {
    await workbench.openFile('packed_results.json.gz');
    await workbench.clickEditorButton('Open in GPU Lens');
    const timeline = await workbench.webview('GPU Timeline');
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 2.80 µs');
    await workbench.screenshot('rocprof-timeline');
  });

  it('open through "Open Profile…" where their name could be that of any JSON', async () => {
    await workbench.command('GPU Lens: Open Profile', '4711_results.json');
    await openedProfile(workbench.page, '4711_results.json · GPU work 2.80 µs').waitFor();
  });
});
