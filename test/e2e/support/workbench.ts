import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {chromium, type Browser, type Frame, type Page} from 'playwright-core';
import {afterAll, afterEach, inject, vi} from 'vitest';
import {chromiumFlags} from '../../../scripts/lib/chromium.mjs';
import {
  installExtension,
  quietSettings,
  startCodeServer,
  writeUserSettings,
  type Server,
} from '../../../scripts/lib/code-server.mjs';
import {root} from '../../../scripts/lib/run.mjs';
import {accountOf} from './account.js';

export interface WorkbenchOptions {
  /** A folder to copy as the workspace; without one the workspace is empty. */
  readonly copyOf?: string;
  /** A folder to open as it is: nothing may be written there. */
  readonly folder?: string;
  /** Files of the workspace by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folders of unpacked extensions to install beside ours. */
  readonly extensions?: readonly string[];
  /** A file of the workspace to open as a workspace of several folders: a `.code-workspace` among `files`. */
  readonly workspaceFile?: string;
  readonly trustsEverything?: boolean;
  readonly size?: {readonly width: number; readonly height: number};
}

/** Selectors of VS Code's own parts. */
const quickInput = '.quick-input-widget input';
const quickRow = '.quick-input-list .monaco-list-row';
const codeLens = '.codelens-decoration';

/** Those of the test file: a hook that a test added to stop its own would not be called. */
const started: Workbench[] = [];

afterAll(async () => {
  for (const workbench of started) await workbench.stop();
});

// What a test saw when it failed is worth more than its message.
afterEach(async ({task}) => {
  if (task.result?.state !== 'fail') return;
  const workbench = started.at(-1);
  await workbench?.screenshot(`failed-${task.name.replace(/[^\w]+/g, '-').slice(0, 60)}`).catch(() => undefined);
  // Of a test that passes when it is tried again nothing else tells what went wrong.
  const errors = task.result.errors?.map(({message}) => message).join('\n') ?? '';
  const account = (await workbench?.account().catch(String)) ?? 'no window';
  console.log(`When "${task.name}" failed: ${errors}\n${account}`);
});

/** The themes that views are looked at in, with the classes that VS Code gives its window and webviews in each. */
export const themes = {
  'Dark Modern': {window: 'vs-dark', webview: 'vscode-dark'},
  'Light Modern': {window: 'vs', webview: 'vscode-light'},
  'Default High Contrast': {window: 'hc-black', webview: 'vscode-high-contrast'},
  'Default High Contrast Light': {window: 'hc-light', webview: 'vscode-high-contrast-light'},
} as const;
export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

/** A real VS Code in a real Chromium, used as a person uses it: by mouse and keyboard. */
export class Workbench {
  private constructor(
    readonly page: Page,
    readonly workspace: string,
    private readonly browser: Browser,
    private readonly server: Server,
    private readonly home: string,
    private readonly workspaceFile: string | null,
  ) {}

  /** Starts VS Code with the packed extension; it is stopped after the tests of the file. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const home = mkdtempSync(join(tmpdir(), 'gpu-lens-e2e-'));
    const folders = {userData: join(home, 'user'), extensions: join(home, 'extensions')};
    const workspace = options.folder ?? join(home, 'workspace');
    if (!options.folder) fillWorkspace(workspace, options);
    writeUserSettings(folders, {...quietSettings, ...options.settings});
    if (options.extensions) {
      // Before the first installation: after it VS Code knows its extensions from a list.
      for (const extension of options.extensions)
        cpSync(extension, join(folders.extensions, installedName(extension)), {recursive: true});
      await installExtension(inject('vsix'), folders);
    } else cpSync(inject('extensions'), folders.extensions, {recursive: true});
    const server = await startCodeServer(folders, {trustsEverything: options.trustsEverything ?? true});
    const browser = await chromium.launch({executablePath: inject('chromium'), args: chromiumFlags});
    const page = await browser.newPage({viewport: options.size ?? {width: 1400, height: 900}});
    const workbench = new Workbench(page, workspace, browser, server, home, options.workspaceFile ?? null);
    started.push(workbench);
    await workbench.open();
    return workbench;
  }

  /** Loads the window, or loads it again as "Reload Window" does. */
  async open(): Promise<void> {
    const query =
      this.workspaceFile === null
        ? `folder=${encodeURIComponent(this.workspace)}`
        : `workspace=${encodeURIComponent(join(this.workspace, this.workspaceFile))}`;
    await this.page.goto(`${this.server.url}?${query}`);
    await this.page.waitForSelector('.monaco-workbench .part.statusbar', {timeout: 60_000});
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', {timeout: 60_000});
    // VS Code reads what extensions contribute some time after its window is there.
    await this.#pick('F1', '>GPU Lens: Show log', 'GPU Lens: Show log', 'hover');
    await this.page.keyboard.press('Escape');
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    rmSync(this.home, {recursive: true, force: true, maxRetries: 5});
  }

  /** Runs a command through the palette, and picks rows in the lists that it then opens, one after another. */
  async command(title: string, ...rows: readonly string[]): Promise<void> {
    await this.#pick('F1', `>${title}`, title, 'click', rows);
  }

  /** Puts the cursor on a line of the active editor. */
  async goToLine(line: number): Promise<void> {
    await this.#pick('Control+P', `:${String(line)}`, 'Go to line');
  }

  /** Picks a row in the list that a command has just opened. */
  async pick(text: string): Promise<void> {
    await this.page.locator(quickRow, {hasText: text}).first().click();
  }

  /** Changes the user settings while VS Code runs. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void {
    const file = join(this.home, 'user', 'User', 'settings.json');
    const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({...before, ...settings}));
  }

  /** Changes the colour theme at once, as a user does by the palette, and waits until `webviews` have it. */
  async chooseTheme(theme: Theme, ...webviews: readonly Frame[]): Promise<void> {
    const chosen = async () => {
      await this.command('Preferences: Color Theme');
      await this.page.locator(quickInput).first().fill(theme);
      await this.page.locator(quickRow).getByText(theme, {exact: true}).first().click({timeout: 3000});
      await this.page.locator(`.monaco-workbench.${themes[theme].window}`).waitFor({timeout: 3000});
    };
    const tried = () =>
      chosen().then(
        () => true,
        () => false,
      );
    await vi.waitUntil(tried, {timeout: 60_000, interval: 100});
    for (const webview of webviews) {
      await webview.locator(`body.${themes[theme].webview}`).waitFor({state: 'attached'});
    }
  }

  /** Opens a file of the workspace through Quick Open, which right after a start may lose what was picked. */
  async openFile(name: string): Promise<void> {
    const opened = async () => {
      await this.#pick('Control+P', name, name);
      const tab = this.page.locator('.tab.active', {hasText: name}).waitFor({timeout: 8000});
      return tab.then(
        () => true,
        () => false,
      );
    };
    await vi.waitUntil(opened, {timeout: 60_000, interval: 100});
  }

  /**
   * Opens VS Code's quick input with a key, types, and clicks the row with `label`. It is tried again until it works:
   * right after a start VS Code knows neither all commands nor all files.
   */
  async #pick(
    key: string,
    text: string,
    label: string,
    action: 'click' | 'hover' = 'click',
    thenRows: readonly string[] = [],
  ): Promise<void> {
    const pick = async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(key);
      await this.page.locator(quickInput).first().fill(text, {timeout: 2000});
      const row = this.page.locator(quickRow, {hasText: label}).first();
      // The list fills while it is looked at: by the time the pointer is there, the row may be another one.
      await row.hover({timeout: 3000});
      await row[action]({timeout: 3000});
      for (const then of thenRows) await this.page.locator(quickRow, {hasText: then}).first().click({timeout: 10_000});
    };
    const tried = () =>
      pick().then(
        () => true,
        () => false,
      );
    await vi.waitUntil(tried, {timeout: 60_000, interval: 100});
  }

  /** What the window shows and the extension host has logged, as text. */
  account(): Promise<string> {
    return accountOf(this.page, this.home);
  }

  /** The texts of the CodeLenses in sight, once there are any. */
  async codeLenses(): Promise<string[]> {
    await this.page.locator(`${codeLens} a`).first().waitFor({state: 'attached', timeout: 60_000});
    // Lines that are drawn again stand at another place in the page than on the screen; those that are out of sight
    // are kept, hidden, above all others.
    const found = await this.page.locator(`${codeLens} a, ${codeLens} span`).evaluateAll(elements =>
      elements
        .filter(lens => lens.checkVisibility({visibilityProperty: true}))
        .map(lens => ({text: lens.textContent, topPx: lens.getBoundingClientRect().top}))
        .sort((a, b) => a.topPx - b.topPx)
        .map(({text}) => text),
    );
    // Buttons beside a text have an icon and no letters.
    return found.filter(text => /\w/.test(text));
  }

  /** Clicks the CodeLens above the line that holds `source`. */
  async clickCodeLens(text: RegExp | string): Promise<void> {
    await this.page.locator(`${codeLens} a`, {hasText: text}).first().click();
  }

  /** The page inside the webview with this title that is in sight, in the editor area or in the panel below it. */
  async webview(
    title:
      'GPU Timeline' | 'GPU Flame Graph' | 'GPU Tables' | 'Query Results' | 'GPU Benchmark' | 'Roofline and Estimate',
    place: 'editor' | 'panel' = 'editor',
  ): Promise<Frame> {
    let found: Frame | undefined;
    const find = async () => {
      const panel = await this.page.locator('.part.panel').boundingBox();
      for (const frame of this.page.frames()) {
        const topPx = frame.url().includes('fake.html') ? await topOf(frame, title) : null;
        if (topPx === null) continue;
        const isInPanel = panel !== null && panel.height > 0 && topPx >= panel.y;
        if (isInPanel === (place === 'panel')) found = frame;
      }
      return found !== undefined;
    };
    await vi.waitUntil(find, {timeout: 30_000, interval: 100});
    if (!found) throw new Error(`There is no webview "${title}".`);
    return found;
  }

  /** The text of the notifications in sight. */
  notification(text: string | RegExp): ReturnType<Page['locator']> {
    return this.page.locator('.notification-list-item', {hasText: text});
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({path: join(root, 'test', 'e2e', 'out', `${name}.png`)});
  }
}

/** What VS Code calls the folder of an installed extension. */
function installedName(extension: string): string {
  const manifest = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')) as Record<string, string>;
  return `${manifest['publisher'] ?? ''}.${manifest['name'] ?? ''}-${manifest['version'] ?? ''}`;
}

function fillWorkspace(workspace: string, {copyOf, files = {}}: WorkbenchOptions): void {
  mkdirSync(workspace, {recursive: true});
  if (copyOf) cpSync(copyOf, workspace, {recursive: true});
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), content);
  }
}

/** Where a frame with this title begins on the screen; null where it is another one, or hidden, or gone. */
async function topOf(frame: Frame, title: string): Promise<number | null> {
  try {
    if ((await frame.title()) !== title) return null;
    return (await (await frame.frameElement()).boundingBox())?.y ?? null;
  } catch {
    return null;
  }
}
