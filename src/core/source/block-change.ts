import {getOrAdd} from '../table/get-or-add.js';
import {isExactName, matchesName, type NamePattern} from '../names/name-pattern.js';
import type {Sidecar} from './sidecar.js';
import type {SourceTag} from './source-tag.js';

/** A block that opened ranges, in a recorded file. */
interface RecordedBlock {
  readonly pattern: NamePattern;
  /** First and last line, from 1; the last is null if it was not recorded. */
  readonly line: number;
  readonly endLine: number | null;
}

/** A file as recorded, with which blocks are compared. */
export interface RecordedSource {
  /** Line (from 0) → CRC-32 of its UTF-8 bytes without the line end. */
  readonly lineCrc32: readonly number[];
  readonly blocks: readonly RecordedBlock[];
}

/** Returns a file as the runner recorded it; null if it recorded none of its lines. @param path as in the sidecar */
export function recordedSource(path: string, sidecar: Sidecar): RecordedSource | null {
  const found = sidecar.files.find(({file}) => file === path);
  if (!found?.lineCrc32) return null;
  const sites = sidecar.sites.filter(({file}) => file === path);
  const blocks = sites.map(({name, line, endLine}) => ({pattern: [name], line, endLine: endLine ?? null}));
  return {lineCrc32: found.lineCrc32, blocks};
}

/** Returns an earlier text in the form with which blocks are compared. @param crcOf returns the checksum of a line */
export function sourceOfText(
  text: string,
  tags: readonly SourceTag[],
  crcOf: (line: string) => number,
): RecordedSource {
  const blocks = tags.flatMap(({pattern, line, endLine}) => (pattern ? [{pattern, line, endLine}] : []));
  return {lineCrc32: text.split(/\r\n|\r|\n/).map(crcOf), blocks};
}

/**
 * Returns whether a tag's block differs from the one that ran: no recorded block with one of its names has the same
 * lines. Null if the file has no recorded block with these names. Moving a block changes nothing.
 *
 * @param patterns the names that the tag can give
 * @param crcAt returns the checksum of a line (from 1) of the current file
 */
export function hasBlockChanged(
  source: RecordedSource,
  patterns: readonly NamePattern[],
  {line, endLine}: Pick<SourceTag, 'line' | 'endLine'>,
  crcAt: (line: number) => number,
): boolean | null {
  const {lineCrc32} = source;
  const own = blocksOf(source, patterns);
  if (own.length === 0) return null;
  return !own.some(block => {
    // If the end of a block was not recorded, as many lines are compared as the block has now.
    const recordedEnd = block.endLine ?? block.line + endLine - line;
    if (recordedEnd - block.line !== endLine - line || recordedEnd > lineCrc32.length) return false;
    for (let at = 0; at <= endLine - line; at++) {
      if (lineCrc32[block.line - 1 + at] !== crcAt(line + at)) return false;
    }
    return true;
  });
}

/** Called on every keystroke, so the blocks of a source are cached. */
const foundBlocks = new WeakMap<RecordedSource, Map<string, readonly RecordedBlock[]>>();

function blocksOf(source: RecordedSource, patterns: readonly NamePattern[]): readonly RecordedBlock[] {
  let found = foundBlocks.get(source);
  if (!found) foundBlocks.set(source, (found = new Map<string, readonly RecordedBlock[]>()));
  return getOrAdd(found, JSON.stringify(patterns), () =>
    source.blocks.filter(block => patterns.some(pattern => isNameOf(pattern, block.pattern))),
  );
}

function isNameOf(pattern: NamePattern, recorded: NamePattern): boolean {
  if (isExactName(recorded)) return matchesName(pattern, recorded[0] ?? '');
  return pattern.length === recorded.length && pattern.every((part, at) => part === recorded[at]);
}
