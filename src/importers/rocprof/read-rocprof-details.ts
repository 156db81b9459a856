import {
  absentRows,
  gridSchema,
  noDetails,
  operationDetailsSchema,
  type DetailKind,
  type GridTable,
  type OperationDetailsTable,
  type ReportDetails,
} from '../../core/figures/report-details.js';
import {StringTable} from '../../core/table/string-table.js';
import type {Trace} from '../../core/trace/trace.js';
import {streamBytes} from '../reading/byte-stream.js';
import type {FileHead, ImportOptions} from '../reading/importer.js';
import {JsonElements, type ElementAction, type ElementSink} from '../reading/json-elements.js';
import {naturalOrAbsent} from '../reading/natural-number.js';
import {countOf, member, parseObject, type JsonObject} from './json-object.js';
import {actionOf, processPath, recordListOf, symbolPath} from './paths.js';
import {kernelOf, RecordNames} from './record-names.js';

/** Reads grids, registers and local memory of kernels again: the file is streamed once. */
export async function readRocprofDetails(
  file: FileHead,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
  {signal}: ImportOptions,
): Promise<ReportDetails> {
  if (!wanted.has('grids') && !wanted.has('operations')) return noDetails;
  const details = new DispatchDetails(trace);
  const elements = new JsonElements(details);
  await streamBytes(file, chunk => elements.push(chunk), {signal});
  elements.end();
  details.left(processPath);
  return {
    ...noDetails,
    grids: wanted.has('grids') ? details.grids : null,
    operations: wanted.has('operations') ? {table: details.operations, strings: details.strings} : null,
  };
}

class DispatchDetails implements ElementSink {
  readonly grids: GridTable;
  readonly operations: OperationDetailsTable;
  readonly strings = new StringTable();
  /** GPU operations by their place in the file. */
  readonly #operationAt: ReadonlyMap<number, number>;
  #names = new RecordNames();
  /** Operations of this process and their kernels, whose descriptions may come later in the file. */
  #kernels: {readonly operation: number; readonly kernel: number | bigint | null; readonly sharedBytes: number}[] = [];

  constructor({slices, gpuOperations}: Trace) {
    this.grids = absentRows(gridSchema, gpuOperations.length);
    this.operations = absentRows(operationDetailsSchema, gpuOperations.length);
    this.#operationAt = new Map(
      Array.from(gpuOperations.slice, (slice, operation) => [slices.source[slice], operation] as const),
    );
  }

  actionOf(path: string): ElementAction {
    const action = actionOf(path);
    const isWanted = path === symbolPath || recordListOf(path) === 'kernel_dispatch';
    return action === 'take' && !isWanted ? 'skip' : action;
  }

  element(path: string, text: string, offset: number): void {
    const object = parseObject(text);
    if (!object) return;
    if (path === symbolPath) {
      this.#names.addSymbol(object);
      return;
    }
    const operation = this.#operationAt.get(offset);
    if (operation === undefined) return;
    const dispatch = member(object, 'dispatch_info');
    this.#takeGrid(operation, member(dispatch, 'grid_size'), member(dispatch, 'workgroup_size'));
    this.#kernels.push({operation, kernel: kernelOf(object), sharedBytes: countOf(dispatch['group_segment_size'])});
  }

  skipped(): void {
    // Not a kernel.
  }

  left(path: string): void {
    if (path !== processPath) return;
    for (const {operation, kernel, sharedBytes} of this.#kernels) this.#takeKernel(operation, kernel, sharedBytes);
    this.#kernels = [];
    this.#names = new RecordNames();
  }

  /** Adds a grid. HSA counts a grid in work-items, other profilers count it in blocks. */
  #takeGrid(operation: number, grid: JsonObject, workgroup: JsonObject): void {
    const {grids} = this;
    const [blockX, blockY, blockZ] = sizes(workgroup);
    const [itemsX, itemsY, itemsZ] = sizes(grid);
    grids.blockX[operation] = blockX;
    grids.blockY[operation] = blockY;
    grids.blockZ[operation] = blockZ;
    grids.gridX[operation] = groups(itemsX, blockX);
    grids.gridY[operation] = groups(itemsY, blockY);
    grids.gridZ[operation] = groups(itemsZ, blockZ);
  }

  #takeKernel(operation: number, kernel: number | bigint | null, sharedBytes: number): void {
    const symbol = this.#names.symbol(kernel);
    const {operations, strings} = this;
    const declared = symbol?.sharedBytes ?? -1;
    operations.staticSharedBytes[operation] = declared;
    // A dispatch has the sum of what the kernel declares and what the launch requested.
    operations.dynamicSharedBytes[operation] = sharedBytes < 0 ? -1 : Math.max(0, sharedBytes - Math.max(0, declared));
    if (!symbol) return;
    operations.registers[operation] = naturalOrAbsent(symbol.registers);
    if (symbol.baseName !== null) operations.baseName[operation] = strings.intern(symbol.baseName);
    if (symbol.mangledName !== null) operations.mangledName[operation] = strings.intern(symbol.mangledName);
  }
}

function sizes({x, y, z}: JsonObject): [number, number, number] {
  return [naturalOrAbsent(x), naturalOrAbsent(y), naturalOrAbsent(z)];
}

function groups(items: number, block: number): number {
  return items < 0 || block <= 0 ? -1 : Math.ceil(items / block);
}
