// Opens one file through a cache of traces and prints the time and memory as one line of JSON. The first run in a
// folder imports and caches the trace, each further run is a second opening. Run in separate processes by
// scripts/bench.mjs.
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {visibleSlices} from '../../src/core/layout/visible-slices.js';
import {TraceCache} from '../../src/importers/trace-cache.js';
import {peakResidentBytes} from './peak-memory.js';
import {allLanes} from '../support/all-lanes.js';

const [, , path = '', folder = ''] = process.argv;
const widthPx = 2000;

const begin = performance.now();
const cache = new TraceCache({folder, limitBytes: Infinity}, 'bench');
const opened = await cache.open(path);
const read = performance.now();
const {trace} = opened;
const lanes = allLanes(trace.tracks.keys());
visibleSlices(trace, {fromNs: 0, toNs: trace.spanNs, widthPx, lanes});
attributionOf(trace);
const attributed = performance.now();
const peakBytes = peakResidentBytes();

const beganToKeep = performance.now();
if (!opened.isFromCache) await cache.keep(path, opened, {}, new AbortController().signal);
const figures = {
  isFromCache: opened.isFromCache,
  readMs: read - begin,
  firstPictureMs: attributed - begin,
  keepMs: performance.now() - beganToKeep,
  peakBytes,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
