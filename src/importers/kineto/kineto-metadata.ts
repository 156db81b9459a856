import type {SmLimits} from '../../core/trace/sm-limits.js';
import type {Device} from '../../core/trace/trace.js';
import {isNatural} from '../reading/natural-number.js';

/** The facts that GPU Lens uses from a trace's top-level members. */
export interface KinetoFacts {
  readonly isKineto: boolean;
  readonly version: string | null;
  /** Version of the driver of CUDA or HIP. */
  readonly driver: string | null;
  readonly devices: readonly Device[];
  /** Only for NVIDIA devices: for others the members mean something else. */
  readonly smLimits: readonly SmLimits[];
  readonly rank: number | null;
  readonly worldSize: number | null;
  /** Number of ranks in the job's only process group; null if there are several. */
  readonly groupSize: number | null;
  /** Origin of timestamps in epoch ns; 0 if they are absolute. */
  readonly baseNs: bigint;
}

/** Collects top-level members of a Kineto trace. All are optional, in any order, and untrusted. */
export class KinetoMetadata {
  readonly #members = new Map<string, string>();

  add(key: string, json: string): void {
    this.#members.set(key, json);
  }

  get facts(): KinetoFacts {
    const distributed = asRecord(this.#json('distributedInfo'));
    return {
      isKineto: this.#members.has('schemaVersion') || this.#members.has('deviceProperties'),
      version: this.#version(),
      driver: this.#driver(),
      devices: this.#devices(),
      smLimits: this.#smLimits(),
      rank: asInteger(distributed['rank']),
      worldSize: asInteger(distributed['world_size']),
      groupSize: sizeOfOnlyGroup(distributed['pg_config']),
      baseNs: this.#baseNs(),
    };
  }

  /** The file does not contain the torch version; the versions of its libraries are the best substitute. */
  #version(): string | null {
    const schema = this.#members.get('schemaVersion');
    return schema === undefined ? null : `trace schema ${schema}`;
  }

  /** Kineto writes the value of the driver API: 12090 is CUDA 12.9. */
  #driver(): string | null {
    const cuda = asInteger(this.#json('cuda_driver_version'));
    if (cuda !== null) return `CUDA ${String(Math.floor(cuda / 1000))}.${String(Math.floor((cuda % 1000) / 10))}`;
    const hip = asInteger(this.#json('hip_driver_version'));
    return hip === null ? null : `HIP ${String(hip)}`;
  }

  #devices(): Device[] {
    const list = this.#json('deviceProperties');
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown) => {
      const {id, name} = asRecord(item);
      return !isNatural(id) ? [] : [{id, name: typeof name === 'string' && name !== '' ? name : null}];
    });
  }

  #smLimits(): SmLimits[] {
    const list = this.#json('deviceProperties');
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown) => {
      const properties = asRecord(item);
      const [device, computeMajor, computeMinor, threads, registers, sharedBytes, warp] = smMembers.map(name =>
        asInteger(properties[name]),
      );
      if (warp !== 32 || device === null || computeMajor === null || computeMinor === null) return [];
      if (threads === null || registers === null || sharedBytes === null) return [];
      return [{device, computeMajor, computeMinor, threads, registers, sharedBytes, blocks: null}];
    });
  }

  /** Read as text: the number does not fit a double. */
  #baseNs(): bigint {
    const text = this.#members.get('baseTimeNanoseconds') ?? '';
    return /^-?\d{1,20}$/.test(text) ? BigInt(text) : 0n;
  }

  #json(key: string): unknown {
    try {
      return JSON.parse(this.#members.get(key) ?? 'null');
    } catch {
      return null;
    }
  }
}

const smMembers = [
  'id',
  'computeMajor',
  'computeMinor',
  'maxThreadsPerMultiprocessor',
  'regsPerMultiprocessor',
  'sharedMemPerMultiprocessor',
  'warpSize',
] as const;

/** @see torch/distributed/distributed_c10d.py, get_pg_config_info */
function sizeOfOnlyGroup(groups: unknown): number | null {
  return Array.isArray(groups) && groups.length === 1 ? asInteger(asRecord(groups[0])['pg_size']) : null;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asInteger(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
