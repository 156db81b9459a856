import {randomUUID} from 'node:crypto';
import {existsSync, readdirSync, renameSync, rmSync, statSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {TraceError} from '../../core/base/errors.js';
import {isFields} from '../../core/base/read-json.js';
import {readRunFacts, type RunFacts} from './run-facts.js';
import {changeRunMark, readRunMark, type RunMark} from './run-mark.js';

/** Another window writes for at most this long. */
const lockWaitMs = 5000;
/** Each migration brings the database to the next version; user_version counts those done. */
const migrations = [
  'create table runs (folder text primary key, stamp text not null, facts text not null) without rowid',
  // Earlier versions saved commands with their secrets.
  'delete from runs',
];
const indexName = 'runs.sqlite';
/** How the names of folders begin that are being deleted, in the output folder. */
const deletedStart = '.gpu-lens-deleted-';
/** How often a damaged index is reopened while other windows do the same. */
const mostAttempts = 5;

/** The error that an output folder has no such run. */
export function noRun(folder: string, output: string): TraceError {
  return new TraceError('file/missing', `There is no run "${folder}" in ${join(output, 'runs')}.`);
}

/**
 * The recorded runs of an output folder, read from an index beside them. The run folders are the source of truth: the
 * index is compared with them on each use, holds nothing else, and is rebuilt if it is missing or damaged. Several
 * windows can write at once, and what a killed process had written stays.
 */
export class RunIndex {
  readonly #runs: string;
  readonly #path: string;
  #db: Database.Database;

  /** @param output the folder that contains `runs` */
  constructor(output: string) {
    this.#runs = join(output, 'runs');
    this.#path = join(output, indexName);
    this.#db = openIndex(this.#path);
  }

  close(): void {
    this.#db.close();
  }

  /** Returns all runs, the latest first. Folders that changed are read again. */
  async list(): Promise<RunFacts[]> {
    const names = await readdir(this.#runs).catch((): string[] => []);
    const known = this.#ask(db => db.prepare('select folder, stamp, facts from runs').all() as IndexRow[]);
    const kept = new Map(known.map(row => [row.folder, row]));
    const found = await Promise.all(names.map(name => this.#read(name, kept.get(name))));
    const rows = found.filter(row => row !== null);
    this.#keep(
      rows.filter(({isNew}) => isNew).map(({row}) => row),
      [...kept.keys()].filter(folder => !names.includes(folder)),
    );
    return rows.map(({facts}) => facts).sort((a, b) => (a.began < b.began ? 1 : a.began > b.began ? -1 : 0));
  }

  /** Labels or pins a run, and keeps what another window changes of its mark. @throws TraceError `file/missing` */
  mark(folder: string, change: Partial<RunMark>): Promise<void> {
    return this.#change(folder, path => {
      changeRunMark(path, change);
    });
  }

  /** Deletes a run with its profiles. @throws TraceError `file/missing`, or `file/locked` if it is pinned */
  async delete(folder: string): Promise<void> {
    const output = dirname(this.#runs);
    const away = join(output, `${deletedStart}${randomUUID()}`);
    await this.#change(folder, path => {
      if (readRunMark(path).isPinned) {
        throw new TraceError('file/locked', `The run "${folder}" is pinned: unpin it first.`);
      }
      // Deleting a large profile takes long, and other windows would wait for the index.
      renameSync(path, away);
    });
    await rm(away, {recursive: true, force: true});
    // A process may have been killed before it had deleted a run.
    const left = (await readdir(output)).filter(name => name.startsWith(deletedStart));
    for (const name of left) await rm(join(output, name), {recursive: true, force: true}).catch(() => undefined);
  }

  /**
   * Deletes the oldest runs that have ended and are not pinned, until all take at most `mostBytes`. @returns their
   * folders
   */
  async prune(mostBytes: number): Promise<string[]> {
    const runs = await this.list();
    let bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
    const deleted: string[] = [];
    for (const run of [...runs].reverse()) {
      if (bytes <= mostBytes) break;
      if (run.isPinned || run.ended === null) continue;
      try {
        await this.delete(run.folder);
        deleted.push(run.folder);
      } catch (error) {
        // Another process has pinned or deleted the run meanwhile.
        if (error instanceof TraceError && error.code === 'file/locked') continue;
        if (!(error instanceof TraceError && error.code === 'file/missing')) throw error;
      }
      bytes -= run.bytes;
    }
    return deleted;
  }

  /** Changes a run's folder; the index is locked meanwhile, so that no other window changes it. */
  async #change(folder: string, change: (path: string) => void): Promise<void> {
    const path = join(this.#runs, folder);
    const gone = noRun(folder, dirname(this.#runs));
    if (!(await readRunFacts(this.#runs, folder))) throw gone;
    this.#ask(db => {
      db.transaction(() => {
        if (!existsSync(path)) throw gone;
        change(path);
      }).immediate();
    });
  }

  async #read(folder: string, kept: IndexRow | undefined): Promise<FoundRun | null> {
    const stamp = stampOf(join(this.#runs, folder));
    const known = kept?.stamp === stamp ? factsIn(kept.facts, join(this.#runs, folder)) : null;
    if (known) return {facts: known, isNew: false, row: {folder, stamp, facts: ''}};
    const facts = await readRunFacts(this.#runs, folder);
    return facts && {facts, isNew: true, row: {folder, stamp, facts: JSON.stringify(facts)}};
  }

  #keep(rows: readonly IndexRow[], gone: readonly string[]): void {
    if (rows.length + gone.length === 0) return;
    this.#ask(db => {
      const put = db.prepare('insert or replace into runs values (@folder, @stamp, @facts)');
      const drop = db.prepare('delete from runs where folder = ?');
      db.transaction(() => {
        for (const row of rows) put.run(row);
        for (const folder of gone) drop.run(folder);
      }).immediate();
    });
  }

  /** Asks the index; if it was damaged or replaced since it was opened, it is opened again, and asked once more. */
  #ask<Answer>(question: (db: Database.Database) => Answer): Answer {
    try {
      return question(this.#db);
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_')) throw error;
      this.#db.close();
      this.#db = openIndex(this.#path);
      return question(this.#db);
    }
  }
}

interface IndexRow {
  readonly folder: string;
  readonly stamp: string;
  readonly facts: string;
}

interface FoundRun {
  readonly facts: RunFacts;
  readonly isNew: boolean;
  readonly row: IndexRow;
}

/**
 * Returns a text that changes with a run's files: with their names, which change the folder's time, and with each one's
 * size, time and number in the file system. A file that is renamed into place has another number, even if the clock is
 * too coarse to tell it from the one before.
 */
function stampOf(path: string): string {
  const parts: (number | string)[] = [];
  try {
    parts.push(statSync(path).mtimeMs);
    for (const name of readdirSync(path)) {
      const stats = statSync(join(path, name), {throwIfNoEntry: false});
      if (stats) parts.push(name, stats.size, stats.mtimeMs, stats.ino);
    }
  } catch {
    return '';
  }
  return parts.join(' ');
}

/** Returns null if the row has another form or names a profile outside the folder; the folder is then read again. */
function factsIn(text: string, folder: string): RunFacts | null {
  const json = parsed(text);
  if (!isFields(json)) return null;
  const {began, name, command, stepNs, stepSpreadNs, profiles, ranks} = json;
  const isHere = (path: unknown) => typeof path === 'string' && dirname(path) === folder;
  const areHere = (paths: unknown) => Array.isArray(paths) && paths.every(isHere);
  const isAmount = (value: unknown) => value === null || typeof value === 'number';
  const isCommand = command === null || (Array.isArray(command) && command.every(part => typeof part === 'string'));
  return typeof began === 'string' &&
    typeof name === 'string' &&
    isCommand &&
    isAmount(stepNs) &&
    isAmount(stepSpreadNs) &&
    areHere(profiles) &&
    areHere(ranks)
    ? (json as unknown as RunFacts)
    : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Opens the index, a new one if it is damaged. If it cannot be kept, it is one in memory: the folders have everything. */
function openIndex(path: string): Database.Database {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    let db: Database.Database | null = null;
    try {
      db = new Database(path, {timeout: lockWaitMs});
      return migrated(db);
    } catch (error) {
      db?.close();
      const code = codeOf(error);
      if (!code.startsWith('SQLITE_')) break;
      // Another window may be rebuilding it at the same time, and remove the files that this one has just opened.
      const isDamaged = code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT');
      if (isDamaged) for (const end of ['', '-wal', '-shm']) rmSync(path + end, {force: true});
      else if (!code.startsWith('SQLITE_IOERR')) break;
    }
  }
  return migrated(new Database(':memory:'));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function migrated(db: Database.Database): Database.Database {
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  db.pragma('secure_delete = on');
  db.transaction(() => {
    const done = Number(db.pragma('user_version', {simple: true}));
    for (const statement of migrations.slice(done)) db.exec(statement);
    db.pragma(`user_version = ${String(Math.max(done, migrations.length))}`);
  }).immediate();
  return db;
}
