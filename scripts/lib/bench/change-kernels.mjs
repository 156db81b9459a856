// Writes a second run of a large Kineto trace: the same events, with kernels that take a little less.
import {createReadStream, createWriteStream} from 'node:fs';
import {pipeline} from 'node:stream/promises';

/** The most that a kernel is shortened by; a shorter kernel overlaps no other. */
const mostShare = 0.04;

/** What two events have between them, and the duration of a kernel, on the line after its name. */
const between = '},\n  {';
const kernelDuration = /("cat": "kernel", [^\n]*\n[^\n]*"dur": )(\d+(?:\.\d+)?)/g;

/**
 * Writes the trace `source` to `path` with kernels shortened by 0 to 4 %, each by its own part. The same source gives
 * the same file.
 *
 * @param {string} source with the layout of PyTorch's profiler
 * @param {string} path
 */
export async function writeChanged(source, path) {
  let kernel = 0;
  // Multiples of the golden ratio are spread evenly.
  const nextPart = () => (++kernel * 0.618) % 1;
  const change = text => text.replaceAll(kernelDuration, (_, head, us) => head + shortened(us, nextPart()));
  const file = createReadStream(source, {encoding: 'utf8', highWaterMark: 1 << 22});
  await pipeline(file, chunks => changeWhole(chunks, change), createWriteStream(path));
}

/** Changes pieces that end between two events, so that no event is torn. */
async function* changeWhole(chunks, change) {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const end = text.lastIndexOf(between) + 1;
    rest = text.slice(end);
    yield change(text.slice(0, end));
  }
  yield change(rest);
}

function shortened(us, part) {
  return (Number(us) * (1 - mostShare * part)).toFixed(us.split('.')[1]?.length ?? 0);
}
