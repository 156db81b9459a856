import {basename} from 'node:path';
import {isOutOfMemory, TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';
import {traceBytes} from '../core/trace/derived.js';
import {isOtherRank} from '../core/figures/other-ranks.js';
import type {Trace, TraceMeta} from '../core/trace/trace.js';
import {changedSince, fileStamp, verifyUnchanged} from '../importers/files/file-identity.js';
import {TraceCache, type OpenedTrace} from '../importers/trace-cache.js';
import {UnpackedFiles} from '../importers/files/unpacked-files.js';
import type {ImportOptions} from '../importers/reading/importer.js';
import {memoryLimitBytes, settingMemoryLimit} from '../importers/reading/memory-limit.js';
import {openTrace} from '../importers/open-trace.js';
import type {OpenedFile} from '../importers/slice-arguments.js';
import type {EngineSettings, KeptProfile, ProfileId} from '../protocol/engine-messages.js';
import type {TracedFile} from './table-store.js';

/** The first pictures are drawn before a trace is written to the disk. */
const keepAfterMs = 1000;

interface Held extends OpenedFile {
  readonly id: ProfileId;
  /** The options of the first opening; later ones use the same. */
  readonly choices: ImportOptions;
  readonly closing: AbortController;
  /** The file's own description; null until the trace was read. */
  meta: TraceMeta | null;
  /** Null if it was dropped because of the memory limit, or was open in a process that died. */
  trace: Trace | null;
  /** The reopening that is in progress after that. */
  reopening: Promise<Trace> | null;
}

/**
 * The open profiles. If the trace of a profile was dropped, it is read again when it is needed.
 *
 * All traces together stay below a memory limit: the least recently used are dropped, never the one in use.
 */
export class OpenProfiles {
  /** In order of use, the least recently used first. */
  readonly #held = new Map<ProfileId, Held>();
  readonly #program: string;
  #settings: EngineSettings;
  #cache: TraceCache | null = null;
  #unpacked: UnpackedFiles | null = null;
  #nextId = 1;

  /**
   * @param program identifies the program that imports
   * @param kept profiles that were open in a process that died
   */
  constructor(settings: EngineSettings, program: string, kept: readonly KeptProfile[]) {
    this.#program = program;
    this.#settings = settings;
    this.configure(settings);
    for (const {id, path, stamp} of kept) {
      this.#hold(id, path, stamp, {}, null);
      this.#nextId = Math.max(this.#nextId, id + 1);
    }
  }

  /** The folder for unpacked files; null for none. */
  get unpacked(): UnpackedFiles | null {
    return this.#unpacked;
  }

  /** The limits of an unpacked file, and of the memory of one import. */
  get limits(): Pick<ImportOptions, 'unpackedLimit' | 'memoryLimit'> {
    const {unpackedLimit, memoryLimitBytes: limitBytes} = this.#settings;
    return {unpackedLimit, memoryLimit: settingMemoryLimit(limitBytes)};
  }

  configure(settings: EngineSettings): void {
    const {cache} = settings;
    this.#settings = settings;
    this.#cache = cache && new TraceCache(cache, this.#program);
    this.#unpacked = cache && new UnpackedFiles(cache);
    this.#makeRoom();
  }

  /** @throws TraceError as `openTrace`; `engine/out-of-memory` */
  async open(path: string, options: ImportOptions): Promise<{id: ProfileId; stamp: string; trace: Trace}> {
    const {signal, onProgress, ...choices} = options;
    const opened = await this.#read(path, {...choices, signal, onProgress});
    // The result of a cancelled call is discarded, so nobody would close the profile.
    if (signal?.aborted) throw new TraceError('import/cancelled', 'Opening was cancelled.');
    const held = this.#hold(this.#nextId++, path, opened.stamp, choices, opened.trace);
    this.#makeRoom();
    this.#keepLater(held, opened);
    return {id: held.id, stamp: opened.stamp, trace: opened.trace};
  }

  /** Returns the trace of a file that need not stay open. @throws TraceError as `open` */
  async readOnce(path: string, options: ImportOptions): Promise<Trace> {
    return (await this.#read(path, options)).trace;
  }

  close(id: ProfileId): void {
    this.#held.get(id)?.closing.abort();
    this.#held.delete(id);
  }

  /** @throws TraceError `profile/not-open` */
  file(id: ProfileId): OpenedFile {
    return this.#heldBy(id);
  }

  /**
   * Returns the trace of a profile, and reads it again if it was dropped. @throws TraceError `profile/not-open`,
   * `file/…`
   */
  async trace(id: ProfileId): Promise<Trace> {
    const held = this.#heldBy(id);
    this.#held.delete(id);
    this.#held.set(id, held);
    // From now on, the memory of results for the last question counts.
    this.#makeRoom();
    if (held.trace) return held.trace;
    held.reopening ??= this.#reopen(held).finally(() => (held.reopening = null));
    return held.reopening;
  }

  /** Returns the open profiles of other ranks of a profile's job, each rank once. @throws TraceError as `trace` */
  async otherRanks(id: ProfileId): Promise<TracedFile[]> {
    const found = [await this.#traced(id)];
    for (const other of [...this.#held.keys()]) {
      const {meta} = this.#heldBy(other);
      if (meta && found.every(({trace}) => isOtherRank(trace.meta, meta))) found.push(await this.#traced(other));
    }
    return found.slice(1);
  }

  async #traced(id: ProfileId): Promise<TracedFile> {
    return {path: this.#heldBy(id).path, trace: await this.trace(id)};
  }

  #heldBy(id: ProfileId): Held {
    const held = this.#held.get(id);
    if (!held) throw new TraceError('profile/not-open', say('That profile is no longer open.'));
    return held;
  }

  #hold(id: ProfileId, path: string, stamp: string, choices: ImportOptions, trace: Trace | null): Held {
    const closing = new AbortController();
    const held = {
      id,
      path,
      stamp,
      choices,
      meta: trace?.meta ?? null,
      trace,
      closing,
      life: closing.signal,
      reopening: null,
    };
    this.#held.set(id, held);
    return held;
  }

  async #read(path: string, choices: ImportOptions): Promise<OpenedTrace> {
    const options = {...this.limits, ...choices};
    try {
      if (this.#cache) return await this.#cache.open(path, options);
      const stamp = await fileStamp(path);
      return {trace: await openTrace(path, options), stamp, isFromCache: false, isWorthKeeping: false};
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw new TraceError(
        'engine/out-of-memory',
        say('There is not enough memory to open {0}. Close other profiles or programs.', basename(path)),
        {cause: error},
      );
    }
  }

  async #reopen(held: Held): Promise<Trace> {
    const {path, stamp, choices, life} = held;
    await verifyUnchanged(path, stamp).catch((error: unknown) => {
      if (!(error instanceof TraceError) || error.code !== 'file/missing') throw error;
      throw new TraceError(
        'file/missing',
        say('{0} was moved or deleted and is no longer in memory, so it cannot be shown.', basename(path)),
        {cause: error},
      );
    });
    const opened = await this.#read(path, {...choices, signal: life});
    if (opened.stamp !== stamp) throw changedSince(path);
    if (!life.aborted) {
      held.trace = opened.trace;
      held.meta = opened.trace.meta;
      this.#makeRoom();
      this.#keepLater(held, opened);
    }
    return opened.trace;
  }

  /** Drops the least recently used traces until the rest is below the limit; the last used one stays. */
  #makeRoom(): void {
    const limitBytes = memoryLimitBytes(this.#settings.memoryLimitBytes);
    const loaded = [...this.#held.values()].filter(({trace}) => trace !== null);
    let bytes = 0;
    for (const {trace} of loaded) bytes += trace ? traceBytes(trace) : 0;
    for (const held of loaded.slice(0, -1)) {
      if (bytes <= limitBytes) return;
      bytes -= held.trace ? traceBytes(held.trace) : 0;
      held.trace = null;
    }
  }

  /** Writes a trace to the disk after the first questions were answered. Closing the profile cancels that. */
  #keepLater({path, choices, life}: Held, opened: OpenedTrace): void {
    const cache = this.#cache;
    if (!cache || !opened.isWorthKeeping) return;
    const timer = setTimeout(() => {
      void cache.keep(path, opened, choices, life);
    }, keepAfterMs);
    life.addEventListener('abort', () => {
      clearTimeout(timer);
    });
  }
}
