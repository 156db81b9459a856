import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';
import type {MemorySnapshot} from '../core/memory-snapshot/memory-snapshot.js';
import {replayDevice, snapshotDevices, type DeviceMemory} from '../core/memory-snapshot/replay.js';
import type {KnownLine} from '../core/source/known-lines.js';
import {getOrAdd} from '../core/table/get-or-add.js';
import {changedSince, fileStamp, verifyUnchanged} from '../importers/files/file-identity.js';
import type {ImportOptions} from '../importers/reading/importer.js';
import {memoryOfFile, type BesideProfile} from '../importers/memory-of-file.js';

/** The most snapshots in memory. The least recently used is dropped, and read again when needed. */
const mostSnapshots = 3;

/** A snapshot, with the results that were computed from it. */
export class OpenSnapshot {
  readonly devices: readonly number[];
  readonly #memories = new Map<number, DeviceMemory>();
  readonly #kept = new Map<string, object>();

  constructor(
    readonly snapshot: MemorySnapshot,
    /** Changes with the file. */
    readonly stamp: string,
  ) {
    this.devices = snapshotDevices(snapshot);
  }

  /** The history of a device. */
  memory(device: number): DeviceMemory {
    return getOrAdd(this.#memories, device, () => replayDevice(this.snapshot, device));
  }

  /** Results that are computed once per key. */
  kept<Value extends object>(key: string, make: () => Value): Value {
    return getOrAdd(this.#kept, key, make) as Value;
  }
}

/** The snapshots of views, by path. Each is read at the first question about it, and again if the file has changed. */
export class OpenSnapshots {
  /** In order of use, the least recently used first. */
  readonly #open = new Map<string, Promise<OpenSnapshot>>();

  /** Sidecars of profiles, by path. */
  readonly #lines = new Map<string, readonly KnownLine[]>();

  /**
   * @param limits of an unpacked file, and of the memory of one import
   * @param open opens a profile
   */
  constructor(
    private readonly limits: () => ImportOptions,
    private readonly open: NonNullable<BesideProfile['open']>,
  ) {}

  /** Stores the sidecar of a profile, before questions about it. */
  note(path: string, lines: readonly KnownLine[]): void {
    this.#lines.set(path, lines);
  }

  /** @throws TraceError as `memoryOfFile`; `import/no-events` if a snapshot has neither memory nor a history */
  async of(path: string, options: ImportOptions = {}): Promise<OpenSnapshot> {
    const known = this.#open.get(path);
    this.#open.delete(path);
    const all = {...this.limits(), ...options};
    const beside = {lines: this.#lines.get(path) ?? [], open: this.open};
    const opening = known ? stillAsItWas(known, path, all, beside) : read(path, all, beside);
    this.#open.set(path, opening);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size > mostSnapshots) this.#open.delete(oldest);
    try {
      return await opening;
    } catch (error) {
      if (this.#open.get(path) === opening) this.#open.delete(path);
      throw error;
    }
  }

  /**
   * Returns a snapshot as a view shows it, so that its questions are never answered from another version of the file.
   *
   * @param stamp of the version that the view shows
   * @throws TraceError `file/changed` if the file has another one now, and the errors of `of`
   */
  async asShown(path: string, stamp: string): Promise<OpenSnapshot> {
    // Fails before a large file is read in vain.
    await verifyUnchanged(path, stamp);
    const open = await this.of(path);
    if (open.stamp !== stamp) throw changedSince(path);
    return open;
  }

  close(path: string): void {
    this.#open.delete(path);
    this.#lines.delete(path);
  }
}

async function stillAsItWas(
  known: Promise<OpenSnapshot>,
  path: string,
  options: ImportOptions,
  beside: BesideProfile,
): Promise<OpenSnapshot> {
  const open = await known;
  return open.stamp === (await fileStamp(path)) ? open : read(path, options, beside);
}

async function read(path: string, options: ImportOptions, beside: BesideProfile): Promise<OpenSnapshot> {
  const stamp = await fileStamp(path);
  const snapshot = await memoryOfFile(path, options, beside);
  const open = new OpenSnapshot(snapshot, stamp);
  if (open.devices.length > 0) return open;
  throw new TraceError('import/no-events', say('{0} holds no memory and no history.', basename(path)));
}
