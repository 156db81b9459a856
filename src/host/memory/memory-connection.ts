import {basename} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {EngineClient} from '../../engine/client.js';
import type {MemoryContent, MemoryHostRequests, MemoryViewRequests} from '../../protocol/memory-messages.js';
import type {Log} from '../base/log.js';
import {showPlace} from '../source/reveal-source.js';
import {showInTimeline, type MemoryPlaceServices} from './memory-places.js';
import type {MakeReadable} from '../profiles/report-exporter.js';
import type {SourcePaths} from '../source/source-paths.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';
import {jobRanksOfFile, offeredRanksOfFile, pathOfRank} from '../profiles/job-ranks.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {openMemory} from './open-memory.js';
import {PageConnection} from '../views/page-connection.js';

/** What a memory view needs of the extension. */
export interface MemoryServices extends MemoryPlaceServices {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  readonly engine: EngineClient;
  readonly makeReadable: MakeReadable;
  readonly workspace: WorkspaceIndex;
  readonly paths: SourcePaths;
  readonly log: Log;
}

/** The connection of a snapshot's page, which passes its requests on to the engine. */
export class MemoryConnection extends PageConnection<MemoryViewRequests, MemoryHostRequests> {
  /** The snapshots that the user chose to compare with: the page can name no other file for the engine to read. */
  readonly #chosen = new Set<string>();

  /**
   * @param path the file of the page
   * @param file what the engine reads
   * @param open reads the snapshot again and shows it
   */
  constructor(
    webview: vscode.Webview,
    private readonly services: MemoryServices,
    path: string,
    private readonly file: () => string,
    private readonly content: () => MemoryContent,
    open: () => void,
  ) {
    super(webview, services.log);
    const {engine, store, jobs} = services;
    this.serve({
      'view/ready': () => {
        this.isReady = true;
        this.send();
        return undefined;
      },
      'ranks/list': () => offeredRanksOfFile(store, jobs, path),
      'ranks/show': async ({rank}) => {
        await openMemory(vscode.Uri.file(await pathOfRank(await jobRanksOfFile(store, jobs, path), jobs, rank)));
        return true;
      },
      // A job's page has no section about memory.
      'ranks/all': () => undefined,
      'memory/again': () => {
        open();
        return undefined;
      },
      'memory/curve': params => engine.ask('memory/curve', {...params, snapshot: file()}),
      'memory/moment': params => engine.ask('memory/moment', {...params, snapshot: file()}),
      'memory/flame': params => engine.ask('memory/flame', {...params, snapshot: file()}),
      'memory/segments': params => engine.ask('memory/segments', {...params, snapshot: file()}),
      'memory/kept': params => engine.ask('memory/kept', {...params, snapshot: file()}),
      'memory/difference': params => engine.ask('memory/difference', {...params, snapshot: file()}),
      'memory/compare': params => this.#compare(params),
      'memory/timeline': ({stamp, ...place}) => showInTimeline(services, {snapshot: file(), stamp}, place),
      'memory/reveal': ({file, line}) => this.#reveal(file, line),
      'memory/copy': async ({text}) => {
        await vscode.env.clipboard.writeText(text);
        return undefined;
      },
    });
    this.own(jobs.onDidChange(() => this.tell('ranks/changed', undefined)));
  }

  /** Tells the page what to show. */
  send(): void {
    // A hidden page does not answer; it asks again when shown.
    if (this.isReady) this.page.ask('memory/content', this.content()).catch(() => undefined);
  }

  async #compare({
    other,
    ...of
  }: MemoryHostRequests['memory/compare']['params']): Promise<MemoryHostRequests['memory/compare']['result']> {
    const path = other !== null && this.#chosen.has(other) ? other : await this.#chooseOther();
    if (path === null) return null;
    this.#chosen.add(path);
    const rows = await this.services.engine.ask('memory/other', {...of, snapshot: this.file(), other: path});
    return {path, name: basename(path), rows};
  }

  async #chooseOther(): Promise<string | null> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Compare with Another Memory Snapshot'),
        openLabel: vscode.l10n.t('Compare'),
        defaultUri: vscode.Uri.file(this.file()),
        filters: {[vscode.l10n.t('Snapshots')]: ['pickle', 'pkl', 'gz'], [vscode.l10n.t('All files')]: ['*']},
      })) ?? [];
    return uri?.fsPath ?? null;
  }

  /** Opens a line of a workspace file: paths come from an untrusted file. */
  async #reveal(path: string, line: number): Promise<undefined> {
    const {workspace, paths} = this.services;
    const file = await paths.find(path, await workspace.whenRead());
    // The user was asked and chose none, and so knows why no file opens.
    if (file === undefined) return undefined;
    if (file === null) throw new TraceError('file/missing', vscode.l10n.t('No file of the workspace is {0}.', path));
    await showPlace('', {file, line});
    return undefined;
  }
}
