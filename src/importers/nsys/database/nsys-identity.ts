import type {ColumnRequest} from '../../sqlite/table-source.js';

/**
 * `globalTid` packs, from high to low: hardware id (8 bits), virtual machine id (8), process id (24) and thread id
 * (24). It does not fit a double, so queries split it: the process key is all but the thread id.
 *
 * @see docs/formats.md#nsys-identity
 */
export const processKeySql = (globalTid: string): string => `(${globalTid} >> 24)`;
export const threadIdSql = (globalTid: string): string => `(${globalTid} & 0xFFFFFF)`;
export const processKeyOf = (column: string): ColumnRequest => ({column, form: 'bits-24-up'});
export const threadIdOf = (column: string): ColumnRequest => ({column, form: 'bits-0-23'});

/** Returns the process id in a process key. */
export function pidOfKey(processKey: number): number {
  return ((processKey % 2 ** 24) + 2 ** 24) % 2 ** 24;
}
