import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';

/** The digest of a bundle: any change of the importers makes another one, and so does any release. */
export function programDigest(bundle: string): string {
  return createHash('sha256').update(readFileSync(bundle)).digest('hex');
}
