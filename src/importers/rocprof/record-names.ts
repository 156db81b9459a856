import {countOf, idOf, member, textOf, type JsonObject} from './json-object.js';

/** The profiler's facts about a kernel, from which its dispatches are named. */
export interface KernelSymbol {
  readonly name: string;
  /** As in the code object, and without the types of its arguments. */
  readonly mangledName: string | null;
  readonly baseName: string | null;
  readonly registers: number;
  /** Local memory of a compute unit that the kernel declares, in bytes. */
  readonly sharedBytes: number;
}

const bytesPerSymbol = 400;
const bytesPerText = 100;

/** The names of a process's records: operations, kernels, and the texts of ROCTx. */
export class RecordNames {
  /** In order of the kind's number. */
  readonly #kinds: {readonly kind: string; readonly operations: readonly unknown[]}[] = [];
  readonly #symbols = new Map<string, KernelSymbol>();
  readonly #markers = new Map<string, string>();
  #textBytes = 0;

  addKind(names: JsonObject | null): void {
    const operations: unknown = names?.['operations'];
    this.#kinds.push({
      kind: textOf(names?.['kind']) ?? '',
      operations: Array.isArray(operations) ? operations : [],
    });
    this.#textBytes += this.#kinds.at(-1)?.operations.length ?? 0;
  }

  addSymbol(symbol: JsonObject): void {
    const id = idOf(symbol['kernel_id']);
    if (id === null) return;
    const mangledName = textOf(symbol['kernel_name']);
    const name = textOf(symbol['formatted_kernel_name']) ?? textOf(symbol['demangled_kernel_name']) ?? mangledName;
    if (name === null) return;
    this.#textBytes += name.length + (mangledName?.length ?? 0);
    this.#symbols.set(String(id), {
      name,
      mangledName,
      baseName: textOf(symbol['truncated_kernel_name']),
      registers: countOf(symbol['arch_vgpr_count']),
      sharedBytes: countOf(symbol['group_segment_size']),
    });
  }

  addMarker(marker: JsonObject): void {
    const [id, text] = [idOf(marker['key']), textOf(marker['value'])];
    if (id === null || text === null) return;
    this.#textBytes += text.length;
    this.#markers.set(String(id), text);
  }

  /** Returns the name of a record's operation; null if the file does not name it. */
  operation(kind: number, operation: number): string | null {
    return textOf(this.#kinds[kind]?.operations[operation]);
  }

  symbol(id: number | bigint | null): KernelSymbol | null {
    return (id === null ? undefined : this.#symbols.get(String(id))) ?? null;
  }

  /** Returns the text passed to a ROCTx call, by its correlation id. */
  marker(id: number): string | null {
    return this.#markers.get(String(id)) ?? null;
  }

  /** The memory held, in bytes. */
  get bytes(): number {
    return this.#symbols.size * bytesPerSymbol + this.#markers.size * bytesPerText + 2 * this.#textBytes;
  }
}

/** Returns the kernel of a dispatch. */
export function kernelOf(record: JsonObject): number | bigint | null {
  return idOf(member(record, 'dispatch_info')['kernel_id']);
}
