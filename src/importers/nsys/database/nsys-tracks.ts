import {getOrAdd} from '../../../core/table/get-or-add.js';
import type {TraceBuilder} from '../../../core/trace/trace-builder.js';
import {DeviceNumbers} from '../../reading/device-numbers.js';
import {isNatural} from '../../reading/natural-number.js';
import type {MemoryBudget} from '../../reading/memory-budget.js';
import type {NsysDatabase} from './nsys-database.js';
import {pidOfKey, processKeySql, threadIdSql} from './nsys-identity.js';
import type {NsysStrings} from './nsys-strings.js';

const order = {stream: 1, processRanges: 5, mainThread: 9, thread: 10, overhead: 20} as const;

/** A name in a map, including its text and its key. */
const bytesPerName = 200;

/** Finds and names processes, threads and streams of an nsys export. An id that a row lacks (NaN) counts as 0. */
export class NsysTracks {
  readonly #threads = new Map<number, Map<number, number>>();
  readonly #processRanges = new Map<number, number>();
  readonly #streams = new Map<string, number>();
  readonly #processNames = new Map<number, string>();
  readonly #threadNames = new Map<string, string>();
  readonly #processes = new Map<number, number>();
  readonly #deviceOfOrdinal = new Map<string, number>();
  readonly #deviceNames = new Map<number, string>();
  readonly deviceNumbers = new DeviceNumbers();
  #lastProcessKey = NaN;
  #lastProcess = -1;
  #keyOfLastThread = NaN;
  #lastThreadId = NaN;
  #lastThread = -1;
  readonly devicesUsed = new Set<number>();

  constructor(
    private readonly db: NsysDatabase,
    private readonly builder: TraceBuilder,
    strings: NsysStrings,
    private readonly budget: MemoryBudget,
  ) {
    budget.watch(() => this.#names * bytesPerName);
    this.#readProcessNames();
    this.#readThreadNames(strings);
    this.#readDevices();
  }

  get #names(): number {
    return this.#processNames.size + this.#threadNames.size + this.#deviceOfOrdinal.size + this.#deviceNames.size;
  }

  /** Number of processes with events. */
  get processCount(): number {
    return this.#processes.size;
  }

  process(processKey: number): number {
    // Rows of one process or thread are mostly consecutive: a comparison saves the lookup.
    if (processKey !== this.#lastProcessKey) {
      this.#lastProcess = this.#findProcess(orZero(processKey));
      this.#lastProcessKey = processKey;
    }
    return this.#lastProcess;
  }

  thread(processKey: number, threadId: number): number {
    if (threadId !== this.#lastThreadId || processKey !== this.#keyOfLastThread) {
      this.#lastThread = this.#findThread(orZero(processKey), orZero(threadId));
      this.#lastThreadId = threadId;
      this.#keyOfLastThread = processKey;
    }
    return this.#lastThread;
  }

  /** NVTX start/end ranges of a process, which lie on no thread's stack. */
  processRanges(processKey: number): number {
    const key = orZero(processKey);
    return getOrAdd(this.#processRanges, key, () =>
      this.builder.track({
        kind: 'process-ranges',
        process: this.process(key),
        device: -1,
        id: `ranges ${String(key)}`,
        name: 'NVTX start/end ranges',
        order: order.processRanges,
      }),
    );
  }

  /** The profiler's own work on a thread, kept apart from the thread's. */
  overhead(processKey: number, threadId: number): number {
    const tid = orZero(threadId);
    return this.builder.track({
      kind: 'other',
      process: this.process(processKey),
      device: -1,
      id: `overhead ${String(orZero(processKey))} ${String(tid)}`,
      name: `thread ${String(tid)} · profiler overhead`,
      order: order.overhead,
    });
  }

  /** Returns a stream's track; `device` is the GPU's number in the report, not the process's own ordinal. */
  stream(processKey: number, device: number, context: number, stream: number): number {
    const key = `${String(processKey)} ${String(device)} ${String(context)} ${String(stream)}`;
    let track = this.#streams.get(key);
    if (track === undefined) {
      track = this.builder.track({
        kind: 'stream',
        process: this.process(processKey),
        device,
        id: key,
        name: `Stream ${String(stream)}`,
        order: order.stream,
      });
      this.#streams.set(key, track);
      this.devicesUsed.add(device);
    }
    return track;
  }

  /** Returns the GPU behind a CUDA ordinal: CUDA_VISIBLE_DEVICES renumbers the GPUs for each process. */
  device(processKey: number, ordinal: number | null): number {
    const device = this.#deviceOfOrdinal.get(`${String(pidOfKey(processKey))} ${String(ordinal)}`) ?? ordinal;
    return this.deviceNumbers.device(device);
  }

  nameDevices(): void {
    const used = this.devicesUsed.size > 0 ? this.devicesUsed : this.#deviceNames.keys();
    for (const device of used) this.builder.device(device, this.#deviceNames.get(device) ?? null);
  }

  #findProcess(key: number): number {
    return getOrAdd(this.#processes, key, () => {
      const process = this.builder.process(String(key), String(pidOfKey(key)));
      this.builder.nameProcess(process, this.#processNames.get(key) ?? '');
      return process;
    });
  }

  #findThread(key: number, tid: number): number {
    const byTid = getOrAdd(this.#threads, key, () => new Map<number, number>());
    return getOrAdd(byTid, tid, () => {
      const isMain = tid === pidOfKey(key);
      const name = this.#threadNames.get(`${String(key)} ${String(tid)}`);
      return this.builder.track({
        kind: 'thread',
        thread: tid,
        process: this.process(key),
        device: -1,
        id: `thread ${String(key)} ${String(tid)}`,
        name: `thread ${String(tid)}${name ? ` (${name})` : isMain ? ' (main)' : ''}`,
        order: isMain ? order.mainThread : order.thread,
      });
    });
  }

  #readProcessNames(): void {
    if (!this.db.has('PROCESSES', 'globalPid', 'name')) return;
    const sql = `select ${processKeySql('globalPid')}, name from PROCESSES`;
    for (const [key, name] of this.db.rows<[number, unknown]>(sql)) {
      if (this.budget.isSpent()) return;
      if (typeof name === 'string') this.#processNames.set(key, name);
    }
  }

  /** A thread may have several rows; the last one counts. */
  #readThreadNames(strings: NsysStrings): void {
    if (!this.db.has('ThreadNames', 'nameId', 'globalTid')) return;
    const sql = `select ${processKeySql('globalTid')}, ${threadIdSql('globalTid')}, nameId from ThreadNames`;
    for (const [key, tid, nameId] of this.db.rows<[number, number, number]>(sql)) {
      if (this.budget.isSpent()) return;
      const name = strings.text(nameId).trim();
      if (name !== '') this.#threadNames.set(`${String(key)} ${String(tid)}`, name);
    }
  }

  #readSmLimits(): void {
    if (!this.db.has('TARGET_INFO_GPU', ...smColumns)) return;
    for (const [device, ...limits] of this.db.rows<SmRow>(`select ${smColumns.join()} from TARGET_INFO_GPU`)) {
      const numbers = limits.map(limit => (Number.isSafeInteger(limit) ? (limit as number) : -1));
      const [
        computeMajor = -1,
        computeMinor = -1,
        warp = -1,
        warps = -1,
        registers = -1,
        sharedBytes = -1,
        blocks = -1,
      ] = numbers;
      if (numbers.some(limit => limit < 0) || warp !== 32) continue;
      this.builder.smLimits({
        device,
        computeMajor,
        computeMinor,
        threads: warps * warp,
        registers,
        sharedBytes,
        blocks,
      });
    }
  }

  /** Reads the names of GPUs in exports from before mid-2021. */
  #readOldDevices(): void {
    const table = 'TARGET_INFO_CUDA_GPU';
    const id = this.db.has(table, 'deviceId', 'name') ? 'deviceId' : 'id';
    if (this.#deviceNames.size > 0 || !this.db.has(table, id, 'name')) return;
    for (const [device, name] of this.db.rows<[unknown, unknown]>(`select ${id}, name from ${table}`)) {
      if (isNatural(device) && typeof name === 'string' && name !== '') this.#deviceNames.set(device, name);
    }
  }

  #readDevices(): void {
    if (this.db.has('TARGET_INFO_GPU', 'id', 'name')) {
      for (const [id, name] of this.db.rows<[unknown, unknown]>('select id, name from TARGET_INFO_GPU')) {
        if (isNatural(id) && typeof name === 'string' && name !== '') this.#deviceNames.set(id, name);
      }
    }
    this.#readOldDevices();
    this.#readSmLimits();
    if (!this.db.has('TARGET_INFO_CUDA_DEVICE', 'gpuId', 'cudaId', 'pid')) return;
    const sql = 'select pid, cudaId, gpuId from TARGET_INFO_CUDA_DEVICE';
    for (const [pid, cudaId, gpuId] of this.db.rows<[number, number, number]>(sql)) {
      if (this.budget.isSpent()) return;
      this.#deviceOfOrdinal.set(`${String(pid)} ${String(cudaId)}`, gpuId);
    }
  }
}

/** Columns of `TARGET_INFO_GPU` with the limits of an SM. */
const smColumns = [
  'id',
  'computeMajor',
  'computeMinor',
  'threadsPerWarp',
  'maxWarpsPerSm',
  'maxRegistersPerSm',
  'maxShmemPerSm',
  'maxBlocksPerSm',
] as const;
type SmRow = [
  device: number,
  computeMajor: unknown,
  computeMinor: unknown,
  warp: unknown,
  warps: unknown,
  registers: unknown,
  sharedBytes: unknown,
  blocks: unknown,
];

/** Missing values are NaN in batches and null in queries. */
function orZero(id: number | null): number {
  return id === null || Number.isNaN(id) ? 0 : id;
}
