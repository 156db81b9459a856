import {getOrAdd} from '../table/get-or-add.js';
import type {NamePattern} from '../names/name-pattern.js';
import {recordedLines, type LinesNow} from './recorded-lines.js';
import type {Sidecar} from './sidecar.js';
import type {SourceTag} from './source-tag.js';

/** A tag and the names that its ranges can have. */
export interface NamedTag<Tag> {
  readonly tag: Tag;
  readonly patterns: readonly NamePattern[];
}

/**
 * The tags of a file that tell their names: by the text, or else, where the name is computed, those that the runner saw
 * this very line open, wherever the line stands now. Tags of which nothing tells a name are left out.
 *
 * @param file the path that the sidecar has for the file; null where it has none
 * @param now the lines as they are now, null where they are as recorded
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

/** Line now → the names that it was seen to open. */
function namesSeen(
  file: string | null,
  sidecar: Pick<Sidecar, 'sites' | 'files'> | null,
  now: LinesNow | null,
): (line: number) => readonly NamePattern[] {
  if (!sidecar || file === null) return () => [];
  const checksums = sidecar.files.find(recorded => recorded.file === file)?.lineCrc32;
  // Without checksums nothing tells whether a line has moved.
  const lineThen = checksums && now ? recordedLines(checksums, now) : (line: number) => line;
  const ofLine = new Map<number, NamePattern[]>();
  for (const site of sidecar.sites) if (site.file === file) getOrAdd(ofLine, site.line, () => []).push([site.name]);
  return line => ofLine.get(lineThen(line) ?? 0) ?? [];
}
