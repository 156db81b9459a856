import {eventsByTrack, eventsInside} from './memory-ranges.js';
import {memoryOfDevices, MostIn} from './memory-events.js';
import {wholeTrace} from '../scope/report-scope.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';

const peaksOfNamesKey = derivedKey<Float64Array>('peaks of names');

/**
 * Returns name (index into the trace's strings) → peak bytes of a device's memory in use while a range of the name was
 * open that allocated or freed some of it. Uses GPUs if the profile has events of their memory, else the host. NaN if
 * unknown.
 *
 * @see docs/metrics.md#memory-sum
 */
export function peakBytesOfNames(trace: Trace): Float64Array {
  return derived(trace, peaksOfNamesKey, () => findPeaks(trace));
}

function findPeaks(trace: Trace): Float64Array {
  const {slices, strings} = trace;
  const {slice} = attributionOf(trace).ranges;
  const peakBytes = new Float64Array(strings.length).fill(NaN);
  const devices = memoryOfDevices({trace, scope: wholeTrace});
  const gpus = devices.filter(({device}) => device >= 0);
  for (const memory of gpus.length > 0 ? gpus : devices) {
    const eventsOf = eventsByTrack(trace, memory);
    const most = new MostIn(memory.level);
    for (const row of slice) {
      const events = eventsOf(slices.track[row]);
      if (events === null) continue;
      const startNs = slices.startNs[row];
      const endNs = startNs + slices.durationNs[row];
      const own = eventsInside(events.atNs, startNs, endNs);
      if (own.first === own.end) continue;
      const {first, end} = eventsInside(memory.atNs, startNs, endNs);
      const entryBytes = first === 0 ? memory.baseBytes : memory.level[first - 1];
      const bytes = Math.max(entryBytes, most.in(first, end));
      const name = slices.name[row];
      if (!(peakBytes[name] >= bytes)) peakBytes[name] = bytes;
    }
  }
  return peakBytes;
}
