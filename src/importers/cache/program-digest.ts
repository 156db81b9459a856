import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';

/** Returns the digest of a bundle, which changes with the importers and with every release. */
export function programDigest(bundle: string): string {
  return createHash('sha256').update(readFileSync(bundle)).digest('hex');
}
