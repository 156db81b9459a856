import {sidecarNotes} from '../../src/core/source/sidecar.js';
import {namedTags} from '../../src/core/source/tag-patterns.js';
import {readSidecar} from '../../src/launch/run/sidecar-file.js';

/**
 * Returns what is wrong with how a sidecar is handled, or null: it must be rejected, or all of its sites must be
 * usable.
 */
export async function checkSidecar(path: string): Promise<string | null> {
  try {
    const sidecar = await readSidecar(path.replace(/\.meta\.json$/, '.pt.trace.json'));
    if (!sidecar) return null;
    const tag = {api: 'record_function', pattern: null, line: sidecar.sites[0]?.line ?? 1, offset: 0} as const;
    namedTags([tag], sidecar.sites[0]?.file ?? 'train.py', sidecar, {lineCount: 9, crcAt: line => line});
    const note = sidecarNotes(sidecar).find(({text}) => !/^[^\n]{5,300}$/.test(text));
    return note ? `notes "${note.text}"` : null;
  } catch (error) {
    return `threw ${String(error instanceof Error ? error.stack : error)}`;
  }
}
