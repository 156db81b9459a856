import {cpSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {ensureChromium} from '../../../scripts/lib/chromium.mjs';
import {ensureCodeServer, installExtension, startCodeServer, type Server} from '../../../scripts/lib/code-server.mjs';
import {packageOnce} from '../../../scripts/lib/package-extension.mjs';
import {root} from '../../../scripts/lib/run.mjs';
import {ensurePython} from '../../../scripts/lib/venv.mjs';
import {testServer} from './test-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    vsix: string;
    /** A folder of extensions in which ours is installed, to be copied. */
    extensions: string;
    chromium: string;
    python: string;
    /** A VS Code server for each worker, and the folder of its state. */
    servers: readonly (Pick<Server, 'url' | 'cookie'> & {readonly home: string})[];
  }
}

/**
 * Prepares what the end-to-end tests need: VS Code servers, a Chromium, a Python with torch, and the packed extension.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const screenshots = join(root, 'test', 'e2e', 'out');
  rmSync(screenshots, {recursive: true, force: true});
  mkdirSync(screenshots, {recursive: true});
  await ensureCodeServer();
  project.provide('chromium', await ensureChromium());
  project.provide('python', await ensurePython());
  const vsix = await packageOnce();
  project.provide('vsix', vsix);
  const installed = mkdtempSync(join(tmpdir(), 'gpu-lens-e2e-installed-'));
  const extensions = join(installed, 'extensions');
  await installExtension(vsix, {userData: join(installed, 'user'), extensions});
  project.provide('extensions', extensions);
  const servers: Server[] = [];
  const homes = Array.from({length: project.config.maxWorkers}, (_, worker) =>
    join(installed, `server-${String(worker)}`),
  );
  for (const home of homes) {
    cpSync(extensions, join(home, 'extensions'), {recursive: true});
    servers.push(
      await startCodeServer({userData: join(home, 'user'), extensions: join(home, 'extensions')}, testServer),
    );
  }
  project.provide(
    'servers',
    servers.map(({url, cookie}, worker) => ({url, cookie, home: homes[worker] ?? ''})),
  );
  return async () => {
    await Promise.all(servers.map(server => server.stop()));
    rmSync(installed, {recursive: true, force: true, maxRetries: 5});
  };
}
