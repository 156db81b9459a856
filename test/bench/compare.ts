// Opens two files as `gpu-lens compare` does, compares them, and prints, as one line of JSON, what each took: run in a
// process of its own by scripts/bench.mjs.
import {compareRuns} from '../../src/core/compare/run-comparison.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {peakResidentBytes} from './peak-memory.js';

const paths = process.argv.slice(2, 4);

const begin = moment();
const traces = await Promise.all(paths.map(path => openTrace(path)));
const imported = moment();
for (const trace of traces) attributionOf(trace);
const opened = moment();
const [base, changed] = traces.map(trace => ({trace, selection: {}, sidecar: null}));
if (!base || !changed) throw new Error('Two files are compared.');
const {rows} = compareRuns(base, changed);
const compared = moment();

const figures = {
  rows: rows.length,
  importMs: imported.ms - begin.ms,
  openMs: opened.ms - begin.ms,
  compareMs: compared.ms - opened.ms,
  openCpuMs: opened.cpuMs - begin.cpuMs,
  compareCpuMs: compared.cpuMs - opened.cpuMs,
  peakBytes: peakResidentBytes(),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** Now, and the processor time of all threads so far: other programs on the machine count little in it. */
function moment(): {readonly ms: number; readonly cpuMs: number} {
  const {user, system} = process.cpuUsage();
  return {ms: performance.now(), cpuMs: (user + system) / 1000};
}
