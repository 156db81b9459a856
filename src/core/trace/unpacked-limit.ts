import {formatCount} from '../format/count.js';

/** The size that a compressed file may unpack to: a few stored bytes can stand for terabytes. */
export interface UnpackedLimit {
  readonly bytes: number;
  /** The setting or environment variable that raises it. */
  readonly name: string;
}

/**
 * The default. A trace takes about 0.6 GB of memory per GB of JSON, so one of this size needs about 10 GB; unpacking
 * that much takes a minute.
 */
export const defaultUnpackedGB = 16;

/** Returns the limit set by a setting or environment variable called `name`, in GB (10⁹ bytes). */
export function unpackedLimit(gigabytes: number, name: string): UnpackedLimit {
  return {bytes: Math.round(gigabytes * 1e9), name};
}

/** Returns a limit as text: `16 GB`. */
export function formatLimit({bytes}: UnpackedLimit): string {
  return bytes >= 1e9 ? `${String(bytes / 1e9)} GB` : `${formatCount(bytes)} bytes`;
}
