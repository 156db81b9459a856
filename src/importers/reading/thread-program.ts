import {existsSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Returns the path of a thread's program (`scan`), which the build puts next to this one; null if there is none, as in
 * unbundled code.
 */
export function threadProgram(name: string): string | null {
  if (typeof __dirname !== 'string') return null;
  const program = join(__dirname, `${name}.cjs`);
  return existsSync(program) ? program : null;
}
