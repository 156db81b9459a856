import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {project} from './project.js';

/** Returns the texts of package.nls.json by their keys. */
export function manifestTexts(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(project, 'package.nls.json'), 'utf8')) as Record<string, string>;
}

/**
 * Returns package.json as VS Code reads it: each `%key%` is replaced by its text.
 *
 * @throws Error if package.nls.json lacks a key
 */
export function readManifest(): unknown {
  const texts = manifestTexts();
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'), (_, value: unknown) => {
    const key = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
    if (key === undefined) return value;
    const text = texts[key];
    if (text === undefined) throw new Error(`package.nls.json has no ${key}`);
    return text;
  });
}
