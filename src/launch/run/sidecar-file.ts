import {parseSidecar, sidecarPath, type Sidecar} from '../../core/source/sidecar.js';
import {readRegularFile} from '../programs/regular-file.js';

/** A larger one is none of the runner's: it holds a line per place that opened a range. */
const longestBytes = 16 << 20;

/** The sidecar of a trace; null where there is none, or something else stands in its place. */
export function readSidecar(tracePath: string): Promise<Sidecar | null> {
  return readRegularFile(sidecarPath(tracePath), async (file, bytes) =>
    bytes <= longestBytes ? parseSidecar(await file.readFile('utf8')) : null,
  );
}
