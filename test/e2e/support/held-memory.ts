import {dirname, join} from 'node:path';
import type {CDPSession, Page} from 'playwright-core';
import {inject} from 'vitest';
import {descendantsOf, runningProcesses} from './processes.js';

/** What a window and its extension host hold at a moment. Resident memory includes garbage; `heapMb` does not. */
export interface HeldMemory {
  readonly hostMb: number;
  /** NaN while no engine runs. */
  readonly engineMb: number;
  /** Of all pages of the browser, with the webviews in them. */
  readonly pagesMb: number;
  /** JavaScript objects of the first window's page, and of webviews of its origin, after a garbage collection. */
  readonly heapMb: number;
  /** DOM nodes of the same page, after the collection. */
  readonly nodes: number;
}

/** Connects to a page's developer tools, to read its heap. */
export async function devtoolsOf(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.enable');
  return devtools;
}

/** Returns the memory that an extension host, its engine, and the browser's pages hold now. */
export async function heldMemory(hostPid: number, devtools: CDPSession): Promise<HeldMemory> {
  await devtools.send('HeapProfiler.collectGarbage');
  const {metrics} = await devtools.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find(one => one.name === name)?.value ?? Number.NaN;
  const all = runningProcesses();
  const engine = all.find(({parent, command}) => parent === hostPid && command.includes('engine.cjs'));
  const browserFolder = `--user-data-dir=${join(dirname(inject('extensions')), 'browser-')}`;
  const browser = all.filter(({command}) => command.includes(browserFolder) && !command.includes('--type='));
  const pages = descendantsOf(browser, all).filter(({command}) => command.includes('--type=renderer'));
  return {
    hostMb: megabytes(all.filter(({pid}) => pid === hostPid)),
    engineMb: engine ? megabytes([engine]) : Number.NaN,
    pagesMb: megabytes(pages),
    heapMb: Math.round(metric('JSHeapUsedSize') / 1e6),
    nodes: metric('Nodes'),
  };
}

function megabytes(processes: readonly {readonly residentBytes: number}[]): number {
  return Math.round(processes.reduce((sum, {residentBytes}) => sum + residentBytes, 0) / 1e6);
}
