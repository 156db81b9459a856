import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {zipEntries} from '../support/zip-entries.js';
import {Workbench} from './support/workbench.js';

const mostBytes = 5e6;

/** A run in whose folder nothing was recorded. */
const recordedRun = {
  '.gpu-lens/runs/20260101-000001-train/run.json': JSON.stringify({
    ...{version: 1, name: 'train', command: ['python', 'train.py'], cwd: '/', began: '2026-01-01T00:00:00.000Z'},
    ...{ended: null, status: 0, commit: null, dirty: null, batch: null, profiles: []},
  }),
};

describe('the packed extension', () => {
  const archive = readFileSync(inject('vsix'));
  const paths = zipEntries(archive).map(({path}) => path);

  it('has at most 5 MB', () => {
    process.stdout.write(`The .vsix has ${(archive.length / 1e6).toFixed(2)} MB in ${String(paths.length)} files.\n`);
    expect(archive.length).toBeLessThanOrEqual(mostBytes);
  });

  it('holds what runs and nothing else: no source, no map, the SQLite binary of one platform', () => {
    expect(paths.filter(path => path.endsWith('.node'))).toHaveLength(1);
    const allowed = [
      /^extension\.vsixmanifest$/,
      /^\[Content_Types\]\.xml$/,
      /^extension\/(package(\.nls(\.zh-cn)?)?\.json|l10n\/bundle\.l10n\.zh-cn\.json|readme\.md|changelog\.md|LICENSE\.txt|LICENSE)$/i,
      /^extension\/dist\/.*$/,
      /^extension\/media\/icons\/[\w-]+\.(png|svg)$/,
      /^extension\/media\/walkthrough\/[\w-]+\.md$/,
      /^extension\/media\/sample\/(README\.md|(model|train)\.py|profile\/train\.(meta\.json|pt\.trace\.json\.gz))$/,
      /^extension\/(docs\/metrics|skills\/gpu-lens\/SKILL)\.md$/i,
      /^extension\/src\/runner\/(__main__|bench|boot\/\w+|gpulens(_runner|_bench|_proof)?\/\w+)\.py$/,
      /^extension\/node_modules\/better-sqlite3\/(package\.json|lib\/.*\.js|prebuilds\/[\w-]+\.node)$/,
    ];
    expect(paths.filter(path => !allowed.some(pattern => pattern.test(path)))).toEqual([]);
  });

  it('holds these bundles, with the licenses of what is in them, and none that an earlier build left', () => {
    const programs = ['cli', 'engine', 'extension', 'mcp', 'pages', 'scan', 'sources', 'sql', 'watch'];
    const views = [
      'benchmark',
      'compare',
      'flame',
      'job',
      'memory',
      'query',
      'roofline',
      'summary',
      'tables',
      'timeline',
    ];
    expect(paths.filter(path => path.startsWith('extension/dist/')).sort()).toEqual(
      [
        ...programs.map(name => `${name}.cjs`),
        ...views.flatMap(name => [`webview/${name}.css`, `webview/${name}.js`]),
        ...[
          'webview/codicon.ttf',
          'webview/toolkit.js',
          'resvg.wasm.br',
          'dejavu-mono.woff2',
          'dejavu-mono.license.txt',
        ],
        ...['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'],
      ]
        .map(name => `extension/dist/${name}`)
        .sort(),
    );
  });

  it('holds the texts of its commands and settings', () => {
    expect(paths).toContain('extension/package.nls.json');
    expect(paths).toContain('extension/package.nls.zh-cn.json');
    expect(paths).toContain('extension/l10n/bundle.l10n.zh-cn.json');
  });

  it('holds all files of the runner', () => {
    expect(paths).toContain('extension/src/runner/__main__.py');
    expect(paths).toContain('extension/src/runner/boot/sitecustomize.py');
    for (const folder of ['gpulens', 'gpulens_runner', 'gpulens_bench', 'gpulens_proof']) {
      const files = readdirSync(join(root, 'src', 'runner', folder)).filter(name => name.endsWith('.py'));
      expect(paths).toEqual(expect.arrayContaining(files.map(name => `extension/src/runner/${folder}/${name}`)));
    }
  });
});

describe('the extension in VS Code', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({files: {'notes.txt': 'Notes\n', ...recordedRun}});
  });

  it('is activated, and says how long that takes: the figure is for docs/performance.md', async () => {
    const times: number[] = [];
    for (let start = 0; start < 2; start++) {
      if (start > 0) await workbench.reload();
      await workbench.command('Developer: Show Running Extensions');
      const row = workbench.page.locator('.runtime-extensions-editor .monaco-list-row', {hasText: 'GPU Lens'});
      await row.waitFor();
      const time = async () => Number(/Activation: (\d+)ms/.exec((await row.textContent()) ?? '')?.[1] ?? NaN);
      // The page shows the extensions that it knows already, and their times once they are activated.
      await expect.poll(time).not.toBeNaN();
      times.push(await time());
      await workbench.screenshot(`running-extensions-${String(start)}`);
    }
    process.stdout.write(`Activation: ${times.join(', ')} ms.\n`);
  });

  it('starts no process before one is needed', async () => {
    const seen = new Set<string>();
    // VS Code's own extensions may have servers, and the extension host of the window before may still be ending.
    const started = () => {
      const commands = workbench.startedProcesses().map(({command}) => command);
      const others = commands.filter(command => !/[\\/]lib[\\/]vscode[\\/]extensions[\\/]/.test(command));
      for (const command of others) seen.add(command);
      return others.map(command => /--type=\w+/.exec(command)?.[0] ?? command);
    };
    await expect.poll(started).toEqual(['--type=extensionHost']);
    expect([...seen].filter(command => /engine\.cjs|sql\.cjs|python/.test(command))).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('loads SQLite only when it is needed: /proc tells', async () => {
    const [host] = workbench.hostProcesses();
    const loadsSqlite = () => readFileSync(`/proc/${String(host?.pid)}/maps`, 'utf8').includes('better-sqlite3');
    expect(loadsSqlite()).toBe(false);
    // The list of runs has an index. VS Code names its own command by the container.
    const container = 'GPU Lens';
    await workbench.command(`${container}: Focus on Runs View`);
    await expect.poll(loadsSqlite).toBe(true);
  });
});
