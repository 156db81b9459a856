import {open} from 'node:fs/promises';
import {constants} from 'node:fs';
import {parseSidecar, sidecarPath, type Sidecar} from '../core/source/sidecar.js';

/** A larger one is none of the runner's: it holds a line per place that opened a range. */
const longestBytes = 16 << 20;

/** A pipe would be waited for until somebody writes into it. Windows has no such flag, nor such files. */
const flags = process.platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/** The sidecar of a trace; null where there is none, or something else stands in its place. */
export async function readSidecar(tracePath: string): Promise<Sidecar | null> {
  const file = await open(sidecarPath(tracePath), flags).catch(() => null);
  if (!file) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= longestBytes ? parseSidecar(await file.readFile('utf8')) : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
