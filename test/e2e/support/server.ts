import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inject, vi} from 'vitest';
import {
  installExtension,
  quietSettings,
  startCodeServer,
  type Server,
  writeUserSettings,
} from '../../../scripts/lib/code-server.mjs';
import {testServer} from './test-server.js';
import {processesOfWindows} from './processes.js';
import {patience} from '../../support/patience.js';

export interface OwnServerOptions {
  /** Folders of unpacked extensions to install beside ours. */
  readonly extensions?: readonly string[];
  readonly trustsEverything?: boolean;
}

/** A VS Code server that windows connect to, one after another. */
export interface VsCodeServer extends Pick<Server, 'url' | 'cookie'> {
  /** The folder that contains `user` and `extensions`. */
  readonly home: string;
  /** Waits until nothing of the last window is left, and fails if something stays. */
  readonly windowClosed: () => Promise<void>;
}

/** Settings of every test. */
function usualSettings(home: string): Readonly<Record<string, unknown>> {
  const ownHome = {HOME: home};
  return {
    ...quietSettings,
    // Two pictures of an editor that rests are the same.
    'editor.cursorBlinking': 'solid',
    // Tests of other views use one editor; a test of the summary that opens with a profile turns it on.
    'gpuLens.summary.open': false,
    // A shell in a terminal reads no start-up files of the user who runs the tests, because these may take a minute.
    'terminal.integrated.env.linux': ownHome,
    'terminal.integrated.env.osx': ownHome,
  };
}

/** The server of this worker, once a test needs one. */
let shared: VsCodeServer | undefined;

/**
 * Returns a server with these user settings and nothing else in its user folder. All test files of a worker share one
 * server; a file with options of its own gets a server of its own, which is stopped when its window closes.
 */
export async function serverFor(
  settings: Readonly<Record<string, unknown>> = {},
  own: OwnServerOptions | null = null,
): Promise<VsCodeServer> {
  if (own) return ownServer(settings, own);
  shared ??= claimServer();
  const user = join(shared.home, 'user', 'User');
  rmSync(user, {recursive: true, force: true, maxRetries: 5});
  mkdirSync(user, {recursive: true});
  writeFileSync(join(user, 'settings.json'), JSON.stringify({...usualSettings(shared.home), ...settings}));
  return shared;
}

/** Claims a server that no other running worker uses. */
function claimServer(): VsCodeServer {
  for (const {home, ...server} of inject('servers')) {
    const mark = join(home, 'worker.pid');
    if (existsSync(mark) && isRunning(Number(readFileSync(mark, 'utf8')))) continue;
    rmSync(mark, {force: true});
    try {
      writeFileSync(mark, String(process.pid), {flag: 'wx'});
    } catch {
      continue;
    }
    return {...server, home, windowClosed: () => nothingIsLeft(join(home, 'user'))};
  }
  throw new Error('There are more workers than VS Code servers: test/e2e/vitest.config.ts sets both.');
}

async function ownServer(
  settings: Readonly<Record<string, unknown>>,
  {extensions = [], trustsEverything = true}: OwnServerOptions,
): Promise<VsCodeServer> {
  const home = mkdtempSync(join(tmpdir(), 'gpu-lens-e2e-server-'));
  const folders = {userData: join(home, 'user'), extensions: join(home, 'extensions')};
  writeUserSettings(folders, {...usualSettings(home), ...settings});
  if (extensions.length > 0) {
    // Before the first installation: after it VS Code reads its extensions from a list.
    for (const extension of extensions)
      cpSync(extension, join(folders.extensions, installedName(extension)), {recursive: true});
    await installExtension(inject('vsix'), folders);
  } else cpSync(inject('extensions'), folders.extensions, {recursive: true});
  const server = await startCodeServer(folders, {trustsEverything, ...testServer});
  const windowClosed = async () => {
    try {
      await nothingIsLeft(folders.userData);
    } finally {
      await server.stop();
      rmSync(home, {recursive: true, force: true, maxRetries: 5});
    }
  };
  return {url: server.url, cookie: server.cookie, home, windowClosed};
}

/** Waits until the extension host of a closed window, and all that it started, are gone; closes terminals. */
async function nothingIsLeft(userData: string): Promise<void> {
  const isGone = () => {
    const {ofWindows, ofTerminals} = processesOfWindows(userData);
    for (const {pid} of ofTerminals) hangUp(pid);
    return ofWindows.length + ofTerminals.length === 0;
  };
  await vi.waitUntil(isGone, patience).catch(() => {
    const {ofWindows, ofTerminals} = processesOfWindows(userData);
    const commands = [...ofWindows, ...ofTerminals].map(({pid, command}) => `${String(pid)} ${command}`);
    throw new Error(`These processes outlived the window that started them:\n${commands.join('\n')}`);
  });
}

function hangUp(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
  } catch {
    // It ended by itself.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns VS Code's name for the folder of an installed extension. */
function installedName(extension: string): string {
  const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as Record<string, string>;
  return `${manifest['publisher'] ?? ''}.${manifest['name'] ?? ''}-${manifest['version'] ?? ''}`;
}
