import {createWriteStream} from 'node:fs';
import {mkdir, open, rename, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {Transform} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {openPromise, type Entry, type ZipFile} from 'yauzl';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {formatLimit, type UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import {fileError} from '../reading/file-head.js';
import {isZipHead} from './zip-head.js';
import {makePrivateFolder, removePrivateFolder} from './private-folder.js';

/** A job has a file for each rank, and a few beside. */
const mostFiles = 100_000;

/** Returns whether a file begins like a zip. */
export async function isZip(path: string): Promise<boolean> {
  // Opening a pipe waits for somebody who writes into it.
  const isFile = await stat(path).then(
    stats => stats.isFile(),
    () => false,
  );
  const file = isFile ? await open(path).catch(() => null) : null;
  try {
    const head = Buffer.alloc(4);
    return file !== null && (await file.read(head, 0, 4, 0)).bytesRead === 4 && isZipHead(head);
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}

/**
 * Unpacks a zip's files one after the other into a private folder; each is deleted when the next is requested. They
 * keep their names but not their folders, so that a name in a zip cannot choose a place on the disk.
 *
 * @param wantedOf returns those to unpack, of the paths in the zip
 * @param limit what all of them may unpack to
 * @throws TraceError `import/damaged`, `import/too-large`, `import/cancelled`, `file/…`
 */
export async function* zippedFiles(
  path: string,
  wantedOf: (names: readonly string[]) => readonly string[],
  limit: UnpackedLimit | undefined,
  signal?: AbortSignal,
): AsyncGenerator<{path: string; entry: string}> {
  const name = basename(path);
  const budget = {name, limit, leftBytes: limit?.bytes ?? Infinity};
  let folder: string | null = null;
  let zip: ZipFile | null = null;
  try {
    zip = await openPromise(path, {lazyEntries: true, autoClose: false, strictFileNames: true});
    const entries = await wantedEntries(zip, name, wantedOf);
    folder = makePrivateFolder();
    for (const [at, entry] of entries.entries()) {
      const unpacked = join(folder, String(at), basename(entry.fileName));
      await unpack(zip, entry, unpacked, budget, signal);
      yield {path: unpacked, entry: entry.fileName};
      await rm(dirname(unpacked), {recursive: true, force: true});
    }
  } catch (error) {
    throw zipError(error, name);
  } finally {
    zip?.close();
    if (folder !== null) removePrivateFolder(folder);
  }
}

/**
 * Unpacks one file of a zip into a folder, under its own name. Returns its path.
 *
 * @param wanted its path in the zip
 * @throws TraceError as `zippedFiles`, and `file/missing` if the zip has no such file
 */
export async function unpackFile(
  path: string,
  wanted: string,
  folder: string,
  limit: UnpackedLimit | undefined,
  signal?: AbortSignal,
): Promise<string> {
  const unpacked = join(folder, basename(wanted));
  for await (const file of zippedFiles(path, names => names.filter(name => name === wanted), limit, signal)) {
    await mkdir(folder, {recursive: true});
    await rename(file.path, unpacked);
    return unpacked;
  }
  throw new TraceError('file/missing', say('{0} no longer contains the file {1}.', basename(path), wanted));
}

/** Sorted by name: `rank2` before `rank10`. */
async function wantedEntries(
  zip: ZipFile,
  name: string,
  wantedOf: (names: readonly string[]) => readonly string[],
): Promise<Entry[]> {
  if (zip.entryCount > mostFiles)
    throw new TraceError('import/too-large', say('{0} has more than 100,000 files.', name));
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.push(entry);
  }
  const names = new Set(wantedOf(entries.map(({fileName}) => fileName)));
  const wanted = entries.filter(({fileName}) => names.has(fileName));
  if (wanted.some(entry => entry.isEncrypted())) throw new TraceError('import/damaged', say('{0} is encrypted.', name));
  return wanted.sort((a, b) => byNumbers.compare(a.fileName, b.fileName));
}

const byNumbers = new Intl.Collator('en', {numeric: true});

interface Budget {
  readonly name: string;
  readonly limit: UnpackedLimit | undefined;
  leftBytes: number;
}

async function unpack(zip: ZipFile, entry: Entry, path: string, budget: Budget, signal?: AbortSignal): Promise<void> {
  // The size in a zip is only a claim: too large a claim is rejected at once, and the bytes are counted anyway.
  if (entry.uncompressedSize > budget.leftBytes) throw tooLarge(budget);
  const counting = new Transform({
    transform(part: Buffer, _, done) {
      budget.leftBytes -= part.length;
      if (budget.leftBytes < 0) done(tooLarge(budget));
      else done(null, part);
    },
  });
  await mkdir(dirname(path));
  // A stream of a damaged zip fails soon after it is opened: nothing may be awaited before the pipeline handles that.
  const stream = await zip.openReadStreamPromise(entry);
  await pipeline(stream, counting, createWriteStream(path, {flags: 'wx', mode: 0o600}), signal ? {signal} : {});
}

function tooLarge({name, limit}: Budget): TraceError {
  const text = limit
    ? say('{0} unpacks to more than {1} ({2}).', name, formatLimit(limit), limit.name)
    : say('{0} is too large when unpacked.', name);
  return new TraceError('import/too-large', text);
}

function zipError(error: unknown, name: string): TraceError {
  if (error instanceof TraceError) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new TraceError('import/cancelled', say('Unpacking {0} was cancelled.', name), {cause: error});
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return fileError(error, name);
  return new TraceError('import/damaged', say('{0} is a damaged zip: {1}.', name, reasonOf(error)), {cause: error});
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\.$/, '').replace(/^./, letter => letter.toLowerCase());
}
