import {csvCell} from '../format/cells.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

const rowsPerPiece = 4096;
const header = 'startNs,durationNs,kind,name,process,track,device,stream,correlation,bytes\r\n';

/**
 * Writes every slice as a row of a CSV, by track, then start, piece by piece. Times are ns from the trace's first
 * event; absent values are empty.
 */
export function* slicesCsv(trace: Trace): Generator<string> {
  const {slices, gpuOperations, strings, tracks, processes} = trace;
  const operationOf = new Int32Array(slices.length).fill(-1);
  for (let at = 0; at < gpuOperations.length; at++) operationOf[gpuOperations.slice[at]] = at;
  yield header;
  for (let first = 0; first < slices.length; first += rowsPerPiece) {
    let piece = '';
    for (let row = first; row < Math.min(slices.length, first + rowsPerPiece); row++) piece += line(row);
    yield piece;
  }

  function line(row: number): string {
    const {name, process} = tracks[slices.track[row]];
    const {[row]: operation} = operationOf;
    const ofGpu =
      operation < 0
        ? ['', '', '', '']
        : [
            String(gpuOperations.device[operation]),
            present(gpuOperations.stream[operation]),
            present(gpuOperations.correlation[operation]),
            present(gpuOperations.bytes[operation]),
          ];
    const cells = [
      String(slices.startNs[row]),
      String(slices.durationNs[row]),
      sliceKinds[slices.kind[row]],
      csvCell(strings.get(slices.name[row])),
      csvCell(process < 0 ? '' : processes[process].pid),
      csvCell(name),
      ...ofGpu,
    ];
    return `${cells.join(',')}\r\n`;
  }
}

function present(value: number): string {
  return value >= 0 ? String(value) : '';
}
