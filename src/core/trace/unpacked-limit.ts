import {formatCount} from '../format/count.js';

/** How much a compressed file may unpack to: a few stored bytes can stand for terabytes. */
export interface UnpackedLimit {
  readonly bytes: number;
  /** What a person changes to raise it: a setting, or an environment variable. */
  readonly name: string;
}

/**
 * Where nobody says otherwise. A trace takes about 0.6 GB of memory per GB of JSON, so one of this size needs about
 * 10 GB; unpacking that much takes a minute.
 */
export const defaultUnpackedGB = 16;

/** The limit that a setting or environment variable called `name` gives, in GB (10⁹ bytes). */
export function unpackedLimit(gigabytes: number, name: string): UnpackedLimit {
  return {bytes: Math.round(gigabytes * 1e9), name};
}

/** A limit as a person reads it: `16 GB`. */
export function formatLimit({bytes}: UnpackedLimit): string {
  return bytes >= 1e9 ? `${String(bytes / 1e9)} GB` : `${formatCount(bytes)} bytes`;
}
