// How many workers run the tests.
import {availableParallelism, freemem} from 'node:os';

/** More do not make a run faster: its longest file takes as long as ever. */
const most = 32;

/**
 * Returns as many workers as the cores allow and the free memory holds, at least one.
 *
 * @param options.perCore workers for each core: more than one if they mostly wait
 * @param options.gib memory that a worker takes at most, in GiB
 */
export function workersFor({perCore = 1, gib}, cores = availableParallelism(), freeBytes = availableBytes()) {
  return Math.max(1, Math.min(perCore * cores, most, Math.floor(freeBytes / (gib * 2 ** 30))));
}

/** The memory that is left, to the machine or to the container. */
function availableBytes() {
  return process.availableMemory?.() ?? freemem();
}
