import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** The program of a thread (`scan`), which the build puts beside this one's; null where there is none, as in unbundled code. */
export function threadProgram(name: string): string | null {
  if (typeof __dirname !== 'string') return null;
  const program = join(__dirname, `${name}.cjs`);
  return existsSync(program) ? program : null;
}
