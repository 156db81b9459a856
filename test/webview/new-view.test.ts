import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import esbuild from 'esbuild';
import {JSDOM} from 'jsdom';
import {beforeAll, describe, expect, it} from 'vitest';
import {populateGlobal} from 'vitest/runtime';
import type {createEngine} from '../../src/engine/engine.js';
import type {createProfilePanels} from '../../src/host/views/profile-panels.js';
import type {profileQueries} from '../../src/host/views/profile-queries.js';
import type {profileViews} from '../../src/host/base/profile-views.js';
import type {HostRequests, ViewContent, ViewRequests} from '../../src/protocol/view-messages.js';
import type {DummyView} from '../fixtures/dummy-view/dummy-view.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {completePage, settle, TestHost} from '../support/page.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

interface Program {
  readonly createEngine: typeof createEngine;
  readonly createProfilePanels: typeof createProfilePanels;
  readonly profileQueries: typeof profileQueries;
  readonly profileViews: typeof profileViews;
  readonly DummyView: typeof DummyView;
}

/** What is added to a file of the program: a line behind, or before, one that is there. */
const lines: readonly (readonly [file: string, at: string, line: string])[] = [
  [
    'src/host/base/profile-panels.ts',
    '} as const satisfies',
    "dummy: {viewType: 'gpuLens.dummy', bundle: 'dummy', title: 'Dummy', command: 'gpuLens.showDummy', name: 'Dummy', icon: 'beaker'},",
  ],
  ['src/protocol/profile-messages.ts', '  }),\n];', "...({'dummy/kernels': true} as object),"],
  [
    'src/engine/engine.ts',
    "    'profile/close'(",
    "'dummy/kernels': async ({profile}) => (await profiles.trace(profile)).counts.kernels,",
  ],
];

/** What this file proves to be enough: a folder, here among the fixtures, and a line in three lists. */
const added: esbuild.Plugin = {
  name: 'a new view',
  setup(build) {
    for (const [file, at, line] of lines) {
      build.onLoad({filter: new RegExp(`${file.replaceAll('/', '[/\\\\]').replace('.', '\\.')}$`)}, async ({path}) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes(at)) throw new Error(`${file} has no "${at}".`);
        return {contents: source.replace(at, `${line}\n${at}`), loader: 'ts'};
      });
    }
    build.onResolve({filter: /\.wasm$/}, ({path}) => ({path, namespace: 'no-scanner'}));
    build.onLoad({filter: /.*/, namespace: 'no-scanner'}, () => ({contents: 'export default null;'}));
    build.onLoad({filter: /\.css$/}, () => ({contents: ''}));
  },
};

describe('a view that is a folder and a line in each of three lists', () => {
  let program: Program;

  beforeAll(async () => {
    const outfile = join(folder, 'program.cjs');
    const files = [
      'src/engine/engine',
      'src/host/views/profile-panels',
      'src/host/views/profile-queries',
      'src/host/base/profile-views',
      'test/fixtures/dummy-view/dummy-view',
    ];
    await esbuild.build({
      stdin: {
        contents: files.map(file => `export * from './${file}.js';`).join('\n'),
        resolveDir: project,
        loader: 'ts',
      },
      ...{bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent', plugins: [added]},
      ...{external: ['better-sqlite3'], alias: {vscode: join(project, 'test', 'support', 'vscode-stand-in.ts')}},
    });
    const require = createRequire(import.meta.url);
    const sqlite = JSON.stringify(require.resolve('better-sqlite3'));
    const source = await readFile(outfile, 'utf8');
    await writeFile(outfile, source.replaceAll('require("better-sqlite3")', `require(${sqlite})`));
    // The page comes after the bundler, which refuses to work beside one.
    populateGlobal(globalThis, new JSDOM('<body></body>', {pretendToBeVisual: true, url: 'http://localhost'}).window, {
      bindFunctions: true,
    });
    completePage();
    program = require(outfile) as Program;
  });

  it('has a panel, a command, and a place in the lists of views', () => {
    const {panels, commands} = program.createProfilePanels({} as never, {} as never);
    expect(Object.keys(panels)).toContain('dummy');
    expect(Object.keys(commands)).toContain('gpuLens.showDummy');
    expect(program.profileViews.map(({name}) => name)).toContain('Dummy');
  });

  it('asks the engine what it wants to know, through the host, and shows it', async () => {
    const engine = program.createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test');
    const context = {signal: new AbortController().signal, report: () => undefined};
    const path = join(folder, 'two.json');
    await writeFile(path, kinetoText([kineto.call(1, 0, 1), kineto.kernel(1, 5, 9), kineto.kernel(1, 15, 9)]));
    const {id, stamp, info, tracks, counters, steps, processes, modules} = await engine['profile/open'](
      {path},
      context,
    );
    const ask = (method: keyof typeof engine, params: never) => engine[method](params, context);
    const queries = program.profileQueries({ask} as never, key => key) as unknown as Record<
      string,
      (params: never, context: object) => unknown
    >;
    const host = new TestHost<HostRequests, ViewRequests>({
      'view/ready': () => undefined,
      'dummy/kernels': params => queries['dummy/kernels']?.(params, context),
    });
    new program.DummyView(host.host, document.body).start();
    const profile = {key: id, identity: stamp, name: 'two', info, tracks, counters, steps, processes, modules};
    await host.tell('view/content', {state: 'open', profile, scope: null} satisfies ViewContent);
    await settle();
    expect(document.querySelector('.count')?.textContent).toBe('2 kernels');
  });
});
