import type {NamePattern} from './name-pattern.js';
import type {Sidecar} from './sidecar.js';
import type {SourceTag} from './source-tag.js';

/**
 * The names that the ranges of a tag can have: from the text, or else, where the name is computed, those that the
 * runner saw this very line open. Empty where nothing tells.
 *
 * @param path of the file, with "/" or "\"
 */
export function tagPatterns(
  tag: Pick<SourceTag, 'pattern' | 'line'>,
  path: string,
  sidecar: Pick<Sidecar, 'sites'> | null,
): readonly NamePattern[] {
  if (tag.pattern) return [tag.pattern];
  const sites = sidecar?.sites.filter(({file, line}) => line === tag.line && isSameFile(path, file)) ?? [];
  return sites.map(({name}) => [name]);
}

/** Whether a path of the sidecar, absolute or relative to a workspace, means this file. */
export function isSameFile(path: string, recorded: string): boolean {
  const here = path.replaceAll('\\', '/');
  const there = recorded.replaceAll('\\', '/');
  return here === there || here.endsWith(`/${there}`);
}
