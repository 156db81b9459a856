import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {Frame, Locator, Page} from 'playwright-core';
import {expect, vi} from 'vitest';
import {root} from '../../../scripts/lib/run.mjs';
import {patience} from '../../support/patience.js';
import {accessibilityViolations} from './accessibility.js';
import {accountOf, allLogs, errorsIn, extensionLogs} from './account.js';
import {closePage, openPage} from './browser-window.js';
import {clickLens, codeLens, codeLensTexts} from './code-lenses.js';
import {processesOfWindows} from './processes.js';
import {clickQuickRow, clickRow, quickInput, showQuickRow} from './quick-input.js';
import {framesDrawn, pictureAtRest} from './rest.js';
import {serverFor, type OwnServerOptions, type VsCodeServer} from './server.js';
import {themes, type Theme} from './themes.js';
import {webviewsLoaded} from './webviews-loaded.js';

export interface WorkbenchOptions {
  /** A folder to copy as the workspace; without one the workspace is empty. */
  readonly copyOf?: string;
  /** A folder to open directly; nothing may be written there. */
  readonly folder?: string;
  /** Files of the workspace by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A file of the workspace to open as a workspace of several folders: a `.code-workspace` among `files`. */
  readonly workspaceFile?: string;
  /** For anything that must exist when the server starts; without it the worker's shared server is used. */
  readonly ownServer?: OwnServerOptions;
  readonly size?: {readonly width: number; readonly height: number};
  /** The editor's display language for extensions, such as `zh-cn`; VS Code's own texts stay English. */
  readonly language?: string;
}

/** Screenshots take a minute of a run, and no test reads them: they are taken only with GPU_LENS_SCREENSHOTS=1. */
const wantsScreenshots = process.env['GPU_LENS_SCREENSHOTS'] === '1';

/** VS Code rarely opens a workspace file without its folders more than once in a row. */
const mostLoads = 5;

/**
 * Settings of a user for whom a double click opens every trace in the timeline, even with a name that other programs
 * use.
 */
export const opensEveryTrace = {
  'workbench.editorAssociations': {'*.json.gz': 'gpuLens.anyTrace', '*.sqlite': 'gpuLens.anyTrace'},
} as const;

/** Sets what a language pack would set: extensions get the texts of that language, without a pack to install. */
async function speak(page: Page, language: string): Promise<void> {
  await page.addInitScript(text => {
    Object.assign(globalThis, {_VSCODE_NLS_LANGUAGE: text});
  }, language);
}

/** The open window: a worker has one at a time. */
let current: Workbench | null = null;

/** Returns the open window, or the last one of this test file. */
export function currentWorkbench(): Workbench | null {
  return current;
}

/** A real VS Code in a real Chromium, used as a user does: by mouse and keyboard. */
export class Workbench {
  readonly #startedAtMs = Date.now();

  private constructor(
    readonly page: Page,
    readonly workspace: string,
    private readonly server: VsCodeServer,
    private readonly home: string,
    private readonly workspaceFile: string | null,
  ) {}

  /**
   * Opens a new window with the packed extension, and its own user settings and stored state. Closes the window before
   * it; this one is closed after the tests of the file.
   */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    await current?.close();
    const home = mkdtempSync(join(tmpdir(), 'gpu-lens-e2e-'));
    const workspace = options.folder ?? join(home, 'workspace');
    if (!options.folder) fillWorkspace(workspace, options);
    const server = await serverFor(options.settings, options.ownServer);
    const page = await openPage(server, options.size ?? {width: 1400, height: 900});
    if (options.language !== undefined) await speak(page, options.language);
    current = new Workbench(page, workspace, server, home, options.workspaceFile ?? null);
    await current.open();
    return current;
  }

  /** Loads the window. */
  async open(): Promise<void> {
    const query =
      this.workspaceFile === null
        ? `folder=${encodeURIComponent(this.workspace)}`
        : `workspace=${encodeURIComponent(join(this.workspace, this.workspaceFile))}`;
    let before = new Set<string>();
    const load = async () => {
      before = new Set(extensionLogs(this.server.home));
      await this.page.goto(`${this.server.url}?${query}`);
    };
    await load();
    for (let loads = 1; loads < mostLoads && (await this.#isWithoutFolders()); loads++) await load();
    await this.#isReady(before);
  }

  /**
   * Returns whether VS Code shows a workspace without its folders: on a busy machine it may read the workspace file
   * before the server's files exist, and does not read it again.
   */
  async #isWithoutFolders(): Promise<boolean> {
    if (this.workspaceFile === null) return false;
    const none = this.page.getByText('You have not yet added a folder to the workspace.');
    await this.page.locator('.explorer-folders-view .monaco-list-row').or(none).first().waitFor();
    return none.isVisible();
  }

  /** Reloads the window by VS Code's own command, which stores the window's state first. */
  async reload(): Promise<void> {
    const isLoaded = this.page.waitForEvent('load');
    const before = new Set(extensionLogs(this.server.home));
    await this.command('Developer: Reload Window');
    await isLoaded;
    await this.#isReady(before);
  }

  /** @param before the logs of the extension before the window was loaded */
  async #isReady(before: ReadonlySet<string>): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    // The extension's first line: from then on its editors exist. Until then, VS Code opens files as text.
    const isActive = () =>
      extensionLogs(this.server.home).some(file => !before.has(file) && /GPU Lens \d/.test(readFileSync(file, 'utf8')));
    await vi.waitUntil(isActive, patience);
    // VS Code reads the extensions' contributions some time after its window has opened.
    await showQuickRow(this.page, 'F1', '>GPU Lens: Show Log', 'GPU Lens: Show Log');
    await this.page.keyboard.press('Escape');
  }

  /** Closes the window, and fails if a process that it started outlives it. */
  async close(): Promise<void> {
    if (current === this) current = null;
    await closePage(this.page);
    await this.server.windowClosed();
    rmSync(this.home, {recursive: true, force: true, maxRetries: 5});
  }

  /** Runs a command through the palette, and picks rows in the lists that it opens, one after another. */
  async command(title: string, ...rows: readonly string[]): Promise<void> {
    await clickQuickRow(this.page, 'F1', `>${title}`, title);
    for (const row of rows) await clickRow(this.page, row);
  }

  /** Puts the cursor on a line of the active editor. */
  async goToLine(line: number): Promise<void> {
    await clickQuickRow(this.page, 'Control+P', `:${String(line)}`, 'Go to line');
    await this.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
  }

  /** Picks a row in the list that a command has just opened. */
  async pick(text: string): Promise<void> {
    await clickRow(this.page, text);
  }

  /**
   * Picks an entry of an element's context menu: VS Code accepts a click on it only some time later, and a key only for
   * the focused entry.
   * @param position where to click on the element, px; its middle by default
   */
  async pickInMenu(element: Locator, text: string, position?: {x: number; y: number}): Promise<void> {
    await webviewsLoaded(this.page);
    await element.click({button: 'right', ...(position && {position})});
    const menu = this.page.locator('.monaco-menu');
    await menu.locator('.action-label', {hasText: text}).hover();
    await menu.locator('.action-item.focused', {hasText: text}).waitFor();
    await this.page.keyboard.press('Enter');
    await menu.waitFor({state: 'detached'});
  }

  /** Changes the user settings while VS Code runs. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void {
    const file = join(this.server.home, 'user', 'User', 'settings.json');
    const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({...before, ...settings}));
  }

  /**
   * Changes the colour theme at once, as a user does by the palette, and waits until `webviews` have it. Fails if one
   * of them is then not accessible, including its colours.
   */
  async chooseTheme(theme: Theme, ...webviews: readonly Frame[]): Promise<void> {
    await this.command('Preferences: Color Theme');
    await this.page.locator(quickInput).first().fill(theme);
    await clickRow(this.page, theme, {exact: true});
    await this.page.locator(`.monaco-workbench.${themes[theme].window}`).waitFor();
    for (const webview of webviews) {
      await webview.locator(`body.${themes[theme].webview}`).waitFor({state: 'attached'});
      // The toolkit's elements take their colours in the next frame.
      await framesDrawn(webview);
      expect(await accessibilityViolations(webview), `${await webview.title()} in ${theme}`).toEqual([]);
    }
  }

  /** Shows a view container of the activity bar in the side bar. */
  async sideBar(title: 'Explorer' | 'GPU Lens'): Promise<void> {
    await this.page.locator(`.activitybar .action-item .action-label[aria-label^="${title}"]`).click();
    await this.page.locator('.part.sidebar .title-label', {hasText: title}).waitFor();
  }

  /** Opens a file of the workspace through Quick Open. */
  async openFile(name: string): Promise<void> {
    await clickQuickRow(this.page, 'Control+P', name, name);
    await this.page.locator('.editor-group-container.active .tab.active', {hasText: name}).waitFor();
    await webviewsLoaded(this.page);
  }

  /**
   * Opens a script, and waits until the active editor has its text: from then on, commands offer the file in the
   * editor.
   */
  async openScript(name: string): Promise<void> {
    await this.openFile(name);
    const text = `.monaco-editor[data-uri$="/${encodeURIComponent(name)}"]`;
    await this.page.locator(`.editor-group-container.active ${text}`).waitFor();
  }

  /** Opens a file of the workspace by "Reopen Editor With…", for names for which GPU Lens is only offered. */
  async openWithTimeline(name: string): Promise<void> {
    await this.openFile(name);
    await this.command('View: Reopen Editor With...', 'GPU Timeline');
  }

  /** Clicks a button beside the tabs of the active editor. */
  async clickEditorButton(title: string): Promise<void> {
    await this.editorButton(title).click();
  }

  editorButton(title: string): ReturnType<Page['locator']> {
    return this.page.locator(`.part.editor .title .editor-actions a[aria-label^="${title}"]`);
  }

  /** Returns, as text, what the window shows and the extension host has logged. */
  account(): Promise<string> {
    return accountOf(this.page, this.server.home, this.#startedAtMs);
  }

  /** Returns the texts of the visible CodeLenses from the top, once there are any and they are stable. */
  codeLenses(): Promise<string[]> {
    return codeLensTexts(this.page);
  }

  /** Clicks a CodeLens with a text. @param at which one from the top, the first as 0; the last as -1 */
  async clickCodeLens(text: RegExp | string, at = 0): Promise<void> {
    await clickLens(this.page.locator(`${codeLens} a`, {hasText: text}), at);
  }

  /**
   * Clicks a button beside the text of a CodeLens.
   *
   * @param icon its codicon
   * @param line a text of the line's lenses
   * @param at as in {@link clickCodeLens}
   */
  async clickLensButton(
    icon: 'beaker' | 'flame' | 'git-compare' | 'table',
    {line = '', at = 0}: {line?: string; at?: number} = {},
  ): Promise<void> {
    await clickLens(this.page.locator(codeLens, {hasText: line}).locator(`.codicon-${icon}`), at);
  }

  /** Returns the page in the visible webview with this title, in the editor area or in the panel below it. */
  async webview(
    title:
      | 'GPU Summary'
      | 'GPU Timeline'
      | 'GPU Flame Graph'
      | 'GPU Tables'
      | 'GPU Memory'
      | 'Query Results'
      | 'GPU Benchmark'
      | 'Roofline and Estimate'
      | 'Ranks as One Job'
      | 'GPU Comparison'
      | 'GPU 摘要'
      | 'GPU 表格',
    place: 'editor' | 'panel' = 'editor',
  ): Promise<Frame> {
    let found: Frame | undefined;
    const find = async () => {
      found = undefined;
      const panel = await this.page.locator('.part.panel').boundingBox();
      for (const frame of this.page.frames()) {
        const topPx = frame.url().includes('fake.html') ? await topOf(frame, title) : null;
        if (topPx === null) continue;
        const isInPanel = panel !== null && panel.height > 0 && topPx >= panel.y;
        if (isInPanel === (place === 'panel')) found = frame;
      }
      return found !== undefined;
    };
    await vi.waitUntil(find, patience);
    await webviewsLoaded(this.page);
    // Loading may have replaced its frame.
    await vi.waitUntil(find, patience);
    if (!found) throw new Error(`There is no webview "${title}".`);
    return found;
  }

  /** Returns the process id of this window's engine, once it runs. */
  async enginePid(): Promise<number> {
    const find = () =>
      processesOfWindows(join(this.server.home, 'user')).ofWindows.find(({command}) => command.includes('engine.cjs'));
    return (await vi.waitUntil(find, patience)).pid;
  }

  /** Opens the folder in another window of the same server; that window closes at the latest with this one's page. */
  async secondWindow(): Promise<Page> {
    const page = await this.page.context().newPage();
    await page.goto(this.page.url());
    return page;
  }

  /** Returns the extension hosts of all windows, and their engines. */
  hostProcesses(): ReturnType<typeof processesOfWindows>['ofWindows'] {
    const {ofWindows} = processesOfWindows(join(this.server.home, 'user'));
    return ofWindows.filter(({command}) => /--type=extensionHost\b|engine\.cjs/.test(command));
  }

  /** Returns all processes that windows and their terminals have started, and that still run. */
  startedProcesses(): ReturnType<typeof processesOfWindows>['ofWindows'] {
    const {ofWindows, ofTerminals} = processesOfWindows(join(this.server.home, 'user'));
    return [...ofWindows, ...ofTerminals];
  }

  /** Returns the errors in all logs of VS Code, those of the extension too, since the window was opened. */
  loggedErrors(): string[] {
    return errorsIn(allLogs(this.server.home), this.#startedAtMs);
  }

  /** Returns whether the extension has logged this, in any window of the server. */
  hasLogged(text: string): boolean {
    return extensionLogs(this.server.home).some(file => readFileSync(file, 'utf8').includes(text));
  }

  /** Returns the visible notification with this text. */
  notification(text: string | RegExp): ReturnType<Page['locator']> {
    return this.page.locator('.notification-list-item', {hasText: text});
  }

  /** Waits until the window is stable, and takes a screenshot, so that nothing is missing in it. */
  async screenshotAtRest(name: string): Promise<void> {
    await pictureAtRest(this.page);
    await this.screenshot(name);
  }

  /** Takes a screenshot of the window for people, if screenshots are requested. */
  async screenshot(name: string): Promise<void> {
    if (wantsScreenshots) await this.keepScreenshot(name);
  }

  /** Takes a screenshot of the window in any case. */
  async keepScreenshot(name: string): Promise<void> {
    await this.page.screenshot({path: join(root, 'test', 'e2e', 'out', `${name}.png`)});
  }
}

function fillWorkspace(workspace: string, {copyOf, files = {}}: WorkbenchOptions): void {
  mkdirSync(workspace, {recursive: true});
  if (copyOf) cpSync(copyOf, workspace, {recursive: true});
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), content);
  }
}

/** Returns where a frame with this title begins on the screen; null if it has another title, is hidden, or is gone. */
async function topOf(frame: Frame, title: string): Promise<number | null> {
  try {
    if ((await frame.title()) !== title) return null;
    // VS Code keeps the pages of inactive tabs, and hides the frame around them.
    const around = await frame.parentFrame()?.frameElement();
    if (around && !(await around.isVisible())) return null;
    return (await (await frame.frameElement()).boundingBox())?.y ?? null;
  } catch {
    return null;
  }
}
