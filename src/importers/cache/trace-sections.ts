import {columnArrays, isWhole, narrowArrays, type ColumnKind, type Schema} from '../../core/table/table.js';
import {
  traceArrays,
  traceTables,
  type TraceArrayName,
  type TraceHead,
  type TraceTableName,
} from '../../core/trace/trace-tables.js';
import type {Trace} from '../../core/trace/trace.js';
import {StringTable, type StringSource} from '../../core/table/string-table.js';

/** One typed array of a trace: a column of a table, or an array of its own. */
export interface Section {
  /** The table, or the array itself. */
  readonly part: TraceTableName | TraceArrayName;
  readonly column: string | null;
  readonly kind: ColumnKind;
}

export type SectionArray = InstanceType<(typeof columnArrays)[ColumnKind]>;

/**
 * Returns the array type of a section with this many bytes per number: whole numbers may take fewer bytes than their
 * kind's maximum. Undefined if the kind has no such width.
 */
export function sectionArrayType({kind}: Section, width: number): (typeof columnArrays)[ColumnKind] | undefined {
  const types = [columnArrays[kind], ...(isWhole(kind) ? narrowArrays[kind] : [])];
  return types.find(({BYTES_PER_ELEMENT}) => BYTES_PER_ELEMENT === width);
}

/** Every typed array of a trace, in the order in which they are written. */
export const sections: readonly Section[] = [
  ...Object.entries<{schema: Schema}>(traceTables).flatMap(([table, {schema}]) =>
    Object.entries(schema).map(([column, kind]) => ({part: table as TraceTableName, column, kind})),
  ),
  ...Object.entries<{kind: ColumnKind}>(traceArrays).map(([array, {kind}]) => ({
    part: array as TraceArrayName,
    column: null,
    kind,
  })),
];

export function sectionArray(trace: Trace, {part, column}: Section): SectionArray {
  const value = trace[part] as unknown;
  return (column === null ? value : (value as Record<string, unknown>)[column]) as SectionArray;
}

/** Returns the length of each table and array, which gives the lengths of all sections. */
export function partLengths(trace: Trace): Record<string, number> {
  return Object.fromEntries(sections.map(({part}) => [part, trace[part].length]));
}

/** Assembles a trace. `arrays` are in the order of `sections`. */
export function assembleTrace(head: TraceHead, texts: StringSource, arrays: readonly SectionArray[]): Trace {
  const parts: Record<string, unknown> = {};
  sections.forEach(({part, column}, at) => {
    const array = arrays[at];
    if (column === null) {
      parts[part] = array;
      return;
    }
    const table = (parts[part] ??= {length: array.length}) as Record<string, unknown>;
    table[column] = array;
  });
  return {...head, ...parts, strings: new StringTable(texts)} as Trace;
}
