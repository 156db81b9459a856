import {linesNow} from '../core/source/line-now.js';
import {recordedSource} from '../core/source/block-change.js';
import type {Sidecar} from '../core/source/sidecar.js';
import {getOrAdd} from '../core/table/get-or-add.js';
import {lineChecksums} from '../launch/run/checksums-of-file.js';
import {longestSource} from '../source/tag-reader.js';
import {realPathBelow} from './is-below.js';
import type {SourcePlace} from './sources.js';

/** Whether figures of a line are those of the text that stands there now. */
type LineState = 'as recorded' | 'moved' | 'edited' | 'unknown';

export interface LineNow {
  /** Where the recorded line stands now, from 1; null if it was edited, or nobody knows. */
  readonly lineNow: number | null;
  readonly source: LineState;
}

const unknown: LineNow = {lineNow: null, source: 'unknown'};

/**
 * Returns a function that says where a recorded line stands now. It reads files below the folder alone, and knows of
 * those whose checksums the runner has kept.
 */
export function linesNowBelow(folder: string, sidecar: Sidecar | null): (place: SourcePlace) => LineNow {
  const files = new Map<string, ((line: number) => number | null) | null>();
  return ({file, line}) => {
    if (file === null || line === null || sidecar === null) return unknown;
    const now = getOrAdd(files, file, () => fileNow(folder, file, sidecar));
    if (now === null) return unknown;
    const lineNow = now(line);
    return {lineNow, source: lineNow === null ? 'edited' : lineNow === line ? 'as recorded' : 'moved'};
  };
}

function fileNow(folder: string, file: string, sidecar: Sidecar): ((line: number) => number | null) | null {
  const recorded = recordedSource(file, sidecar)?.lineCrc32;
  const path = realPathBelow(folder, file);
  const now = path === null ? null : lineChecksums(path, longestSource);
  if (!recorded || !now) return null;
  return linesNow(recorded, {lineCount: now.length, crcAt: line => now[line - 1] ?? NaN});
}
