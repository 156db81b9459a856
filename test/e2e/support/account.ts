import {globSync, readFileSync, statSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {Frame, Page} from 'playwright-core';

/** Number of lines reported of each log: of the extension's own, and of VS Code's. */
const lineCounts = {own: 12, other: 3} as const;

/** Number of characters reported of a view. */
const viewTextLength = 300;

/**
 * Returns, as text, what a window showed and its extension host logged when a test failed: a report has no place for a
 * picture. A server keeps the logs of all its windows: those written since `sinceMs` belong to this window.
 */
export async function accountOf(page: Page, home: string, sinceMs: number): Promise<string> {
  const parts = {
    tabs: '.tab',
    status: '.statusbar-item',
    notifications: '.notification-list-item-message',
    lenses: '.codelens-decoration',
    list: '.quick-input-list .monaco-list-row',
    terminal: '.terminal-wrapper.active .xterm-rows > div',
  };
  const shown = await Promise.all(
    Object.entries(parts).map(async ([name, selector]) => {
      const texts = (await page.locator(selector).allTextContents()).map(text => text.trim()).filter(text => text);
      return `${name}: ${texts.join(' | ')}`;
    }),
  );
  const views = await Promise.all(page.frames().map(viewAccount));
  return [...shown, ...views.filter(view => view !== null), ...logsBelow(home, sinceMs)].join('\n');
}

/**
 * Returns the title of a view, whether it is visible, and the beginning of its text; null for a frame that is not a
 * view.
 */
async function viewAccount(frame: Frame): Promise<string | null> {
  if (!frame.url().includes('fake.html')) return null;
  try {
    const around = await frame.parentFrame()?.frameElement();
    const isInSight = (await around?.isVisible()) ?? false;
    const text = await frame.evaluate(() => document.body.innerText);
    const start = text.replace(/\s+/g, ' ').slice(0, viewTextLength);
    return `${isInSight ? 'view' : 'hidden view'} ${await frame.title()}: ${start}`;
  } catch {
    // It went away during the query.
    return null;
  }
}

/** Returns the logs of the extension in the windows of a VS Code, one for each loading of a window. */
export function extensionLogs(home: string): string[] {
  return globSync(join(home, 'user', 'logs', '**', 'GPU Lens.log'));
}

/** Returns all logs of a VS Code server and of its windows. */
export function allLogs(home: string): string[] {
  return globSync(join(home, 'user', 'logs', '**', '*.log'));
}

/** Returns the lines with errors of the logs that were written since then, each behind the name of its log. */
export function errorsIn(logs: readonly string[], sinceMs: number): string[] {
  const written = logs.filter(file => statSync(file).mtimeMs >= sinceMs);
  return written.flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('[error]'))
      .map(line => `${basename(file)}: ${line}`),
  );
}

/**
 * Returns the last lines of the logs of the extension and of VS Code's extension hosts that were written since then.
 */
function logsBelow(home: string, sinceMs: number): string[] {
  const files = globSync(join(home, 'user', 'logs', '**', '{GPU Lens,remoteexthost,remoteagent}.log'));
  const written = files.filter(file => statSync(file).mtimeMs >= sinceMs);
  return written.sort().map(file => {
    const count = file.endsWith('GPU Lens.log') ? lineCounts.own : lineCounts.other;
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
    return [`--- ${file.slice(home.length + 1)}`, ...lines].join('\n');
  });
}
