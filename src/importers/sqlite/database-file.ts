import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statfsSync,
  writeSync,
  type Stats,
} from 'node:fs';
import {basename, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import type {FileHead} from '../reading/importer.js';
import {makePrivateFolder, removePrivateFolder} from '../files/private-folder.js';

/** Header bytes 18 and 19 hold this in a database that uses a write-ahead log. */
const walVersion = 2;
/** Copies leave at least this much room in the temporary folder to other programs. */
const sparedBytes = 256 << 20;
const copiedAtOnceBytes = 4 << 20;

/** What exists beside a database under a name that SQLite would open. */
type Neighbour = 'none' | 'file' | 'refused';

/**
 * A database in a form that SQLite can open without writing beside it and without waiting for anything.
 *
 * SQLite opens `-wal`, `-shm` and `-journal` beside a database by name alone: a pipe blocks it, a link leads it to
 * another file, and a write-ahead log makes it create a `-shm`. So these names are checked first. If one of them
 * matters, SQLite opens a private copy of the database, with the log if that is a regular file.
 */
export class DatabaseFile {
  /** The file that SQLite opens. */
  readonly path: string;
  /** Notes on files beside the database that were ignored. */
  readonly notes: readonly TraceNote[];
  readonly #folder: string | null;

  /** @throws TraceError `file/unwritable` if a copy is needed and there is no room for it */
  constructor(file: FileHead) {
    // SQLite follows a link to the database, and looks beside its target.
    const path = realpathSync(file.path);
    const log = neighbour(`${path}-wal`);
    const refused = (['-wal', '-shm', '-journal'] as const).filter(end => neighbour(path + end) === 'refused');
    this.notes = refused.map(end => leftOut(basename(file.path) + end));
    const needsCopy = usesWal(file) || log !== 'none' || refused.some(end => end !== '-shm');
    this.#folder = needsCopy ? makePrivateFolder() : null;
    this.path = this.#folder === null ? path : join(this.#folder, 'copy.sqlite');
    if (this.#folder === null) return;
    try {
      copyDatabase(path, this.path, log === 'file', file);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Whether SQLite reads a copy: the file itself may lack the rows in the write-ahead log. */
  get isCopy(): boolean {
    return this.#folder !== null;
  }

  /** Removes the copy. */
  remove(): void {
    if (this.#folder !== null) removePrivateFolder(this.#folder);
  }
}

function usesWal({head}: FileHead): boolean {
  return head[18] === walVersion || head[19] === walVersion;
}

function neighbour(path: string): Neighbour {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch {
    return 'none';
  }
  if (!stats.isFile() || stats.nlink > 1) return 'refused';
  return stats.size === 0 ? 'none' : 'file';
}

function leftOut(name: string): TraceNote {
  return noteOf(
    'file/left-out',
    '{0} was left out because it is a link, a folder or a pipe. GPU Lens reads only regular files beside a database.',
    name,
  );
}

function copyDatabase(path: string, copy: string, withLog: boolean, file: FileHead): void {
  const log = withLog ? openLog(`${path}-wal`) : null;
  try {
    const bytes = file.bytes + (log === null ? 0 : fstatSync(log).size);
    checkRoom(copy, bytes, basename(file.path));
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    if (log !== null) copyLog(log, `${copy}-wal`, bytes - file.bytes);
  } finally {
    if (log !== null) closeSync(log);
  }
}

/**
 * Opens the log without following a link, and without waiting for a pipe that has replaced it meanwhile; null if it is
 * gone.
 */
function openLog(path: string): number | null {
  // Windows has no such flags, nor such files.
  const {O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants as Partial<typeof constants>;
  let fd: number;
  try {
    fd = openSync(path, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return null;
}

function checkRoom(copy: string, bytes: number, name: string): void {
  const folder = join(copy, '..');
  const {bavail, bsize} = statfsSync(folder);
  if (bytes + sparedBytes <= bavail * bsize) return;
  throw new TraceError(
    'file/unwritable',
    say(
      '{0} can only be read from a private copy, and the temporary folder has too little space. Free some space, or set TMPDIR to a folder with more.',
      name,
    ),
  );
}

/** Copies the log up to its size when it was opened: a program may be writing to it. */
function copyLog(source: number, target: string, bytes: number): void {
  const fd = openSync(target, 'wx', 0o600);
  try {
    const buffer = Buffer.alloc(Math.min(copiedAtOnceBytes, bytes));
    for (let done = 0; done < bytes;) {
      const read = readSync(source, buffer, 0, Math.min(buffer.length, bytes - done), done);
      if (read === 0) return;
      for (let written = 0; written < read;) written += writeSync(fd, buffer, written, read - written);
      done += read;
    }
  } finally {
    closeSync(fd);
  }
}
