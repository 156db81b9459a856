import {namesThat} from '../../trace/names-that.js';
import type {Trace} from '../../trace/trace.js';

/** Returns the slices of threads whose name matches, by track, then start. */
export function rowsThat(trace: Trace, test: (name: string) => boolean): number[] {
  const fits = namesThat(trace, test);
  return trace.tracks.flatMap(({kind, firstSlice, endSlice}) => {
    if (kind !== 'thread') return [];
    const rows: number[] = [];
    for (let row = firstSlice; row < endSlice; row++) if (fits(row)) rows.push(row);
    return rows;
  });
}
