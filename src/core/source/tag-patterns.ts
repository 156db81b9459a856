import {getOrAdd} from '../table/get-or-add.js';
import type {NamePattern} from '../names/name-pattern.js';
import {recordedLines, type LinesNow} from './recorded-lines.js';
import type {Sidecar} from './sidecar.js';
import type {SourceTag} from './source-tag.js';

/** A tag, and the names that its ranges can have. */
export interface NamedTag<Tag> {
  readonly tag: Tag;
  readonly patterns: readonly NamePattern[];
}

/**
 * Returns the tags of a file whose names are known: from the text or, if the name is computed, the names that the
 * runner saw this line open, even if the line has moved. Other tags are omitted.
 *
 * @param file the path that the sidecar has for the file; null if it has none
 * @param now the current lines; null if they are as recorded
 */
export function namedTags<Tag extends Pick<SourceTag, 'pattern' | 'line'>>(
  tags: readonly Tag[],
  file: string | null,
  sidecar: Pick<Sidecar, 'sites' | 'files'> | null,
  now: LinesNow | null,
): NamedTag<Tag>[] {
  let seen: ((line: number) => readonly NamePattern[]) | null = null;
  return tags
    .map(tag => ({
      tag,
      patterns: tag.pattern ? [tag.pattern] : (seen ??= namesSeen(file, sidecar, now))(tag.line),
    }))
    .filter(({patterns}) => patterns.length > 0);
}

/** Returns, for each current line, the names that it was seen to open. */
function namesSeen(
  file: string | null,
  sidecar: Pick<Sidecar, 'sites' | 'files'> | null,
  now: LinesNow | null,
): (line: number) => readonly NamePattern[] {
  if (!sidecar || file === null) return () => [];
  const checksums = sidecar.files.find(recorded => recorded.file === file)?.lineCrc32;
  // Without checksums, it is unknown whether a line has moved.
  const lineThen = checksums && now ? recordedLines(checksums, now) : (line: number) => line;
  const ofLine = new Map<number, NamePattern[]>();
  for (const site of sidecar.sites) if (site.file === file) getOrAdd(ofLine, site.line, () => []).push([site.name]);
  return line => ofLine.get(lineThen(line) ?? 0) ?? [];
}
