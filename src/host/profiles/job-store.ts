import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as vscode from 'vscode';
import {counted} from '../../core/format/count.js';
import {shortenMiddle} from '../../core/format/shorten-middle.js';
import type {PlacedJob} from '../../core/job/job-view.js';
import type {EngineClient} from '../../engine/client.js';
import {withCancel} from '../base/cancellable.js';
import {isFolder} from '../base/is-folder.js';
import type {MakeReadable} from './report-exporter.js';

/** The job shown in views. */
export interface ActiveJob extends PlacedJob {
  /** New for every job that is read. */
  readonly key: number;
  readonly name: string;
}

const widestName = 40;

/** Holds the one active job. Its ranks are opened as profiles on demand. */
export class JobStore implements vscode.Disposable {
  #active: ActiveJob | null = null;
  /** The turn of the last request for a job, and of the request for the active one; 0 for none. */
  #turn = 0;
  #activeTurn = 0;
  #nextKey = 1;
  /** Rank of each rank file opened so far, unpacked if it is in a zip. */
  readonly #ranks = new Map<string, number>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly engine: EngineClient,
    private readonly makeReadable: MakeReadable,
  ) {}

  get active(): ActiveJob | null {
    return this.#active;
  }

  /**
   * Reads files, folders and zips as one job, with progress and cancellation, and makes it active, unless a later
   * request has become active first.
   *
   * @returns null if cancelled, or if a later request is active
   * @throws TraceError as the engine's `job`
   */
  async open(paths: readonly string[]): Promise<ActiveJob | null> {
    const turn = ++this.#turn;
    const name = nameOf(paths);
    const title = vscode.l10n.t('Reading {0} as one job', name);
    const job = await withCancel(title, async ({signal, progress}) => {
      const tell = (message: string) => {
        progress.report({message});
      };
      const exports = await this.#exportReports(paths, signal, tell);
      const onProgress = ({progress: message}: {progress: string}) => {
        tell(message);
      };
      return this.engine.ask('job', {paths, exports}, {signal, onProgress});
    });
    if (job === null || turn < this.#activeTurn) return null;
    this.#activeTurn = turn;
    this.#ranks.clear();
    for (const {rank, path, entry} of job.places) {
      // A file with several ranks counts as its first rank's.
      if (entry === null && !this.#ranks.has(path)) this.#ranks.set(path, rank);
    }
    this.#active = {...job, key: this.#nextKey++, name};
    this.#changed.fire();
    return this.#active;
  }

  close(): void {
    this.#active = null;
    this.#activeTurn = 0;
    this.#ranks.clear();
    this.#changed.fire();
  }

  /** Returns the rank of a file in the active job; null if it is none. */
  rankOf(path: string): number | null {
    return this.#ranks.get(path) ?? null;
  }

  /** Returns the file of a rank in the active job, unpacked if it is in a zip; null if the job has no such rank. */
  async fileOf(rank: number): Promise<string | null> {
    const job = this.#active;
    const place = job?.places.find(one => one.rank === rank);
    if (!place) return null;
    const {path, entry} = place;
    const file = await this.engine.ask('job/file', {place: {path, entry}});
    if (this.#active === job && !this.#ranks.has(file)) this.#ranks.set(file, rank);
    return file;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Returns the export of each report: the engine does not run nsys. */
  async #exportReports(
    paths: readonly string[],
    signal: AbortSignal,
    tell: (text: string) => void,
  ): Promise<Record<string, string>> {
    const exports: Record<string, string> = {};
    for (const path of await reportsIn(paths)) {
      const onProgress = () => {
        tell(vscode.l10n.t('Exporting {0} with nsys', basename(path)));
      };
      const exported = await this.makeReadable(path, {signal, onProgress});
      if (exported !== path) exports[path] = exported;
    }
    return exports;
  }
}

async function reportsIn(paths: readonly string[]): Promise<string[]> {
  const isReport = (name: string) => /\.(nsys-rep|qdrep)$/i.test(name);
  const found: string[] = [];
  for (const path of paths) {
    if (!(await isFolder(path))) {
      if (isReport(path)) found.push(path);
      continue;
    }
    for (const name of await readdir(path, {recursive: true})) if (isReport(name)) found.push(join(path, name));
  }
  return found;
}

function nameOf(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map(path => shortenMiddle(basename(path), widestName));
  return others.length === 0 ? first : counted(others.length, '{1} and {0} other', '{1} and {0} others', first);
}
