import {parseSidecar, sidecarPath, type Sidecar} from '../../core/source/sidecar.js';
import {readRegularFile} from '../programs/regular-file.js';

/** A larger file is not the runner's: it holds one line per place that opened a range. */
const longestBytes = 16 << 20;

/** Returns the sidecar of a trace; null if there is none, or the file is something else. */
export function readSidecar(tracePath: string): Promise<Sidecar | null> {
  return readRegularFile(sidecarPath(tracePath), async (file, bytes) =>
    bytes <= longestBytes ? parseSidecar(await file.readFile('utf8')) : null,
  );
}
