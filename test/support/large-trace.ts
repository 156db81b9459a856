import {closeSync, openSync, writeSync} from 'node:fs';

/** Events of one step as torch writes them: members in its order, each event over several lines. */
const eventsPerStep = 5;

/**
 * Writes a Kineto trace of about `bytes` bytes: steps of a range, an operator, two launches' worth of calls and
 * kernels.
 *
 * Returns the offset after each event's closing brace: a file truncated at `length` contains the events up to it.
 */
export function writeLargeTrace(path: string, bytes: number): Float64Array {
  const file = openSync(path, 'w');
  const ends: number[] = [];
  let position = 0;
  let text = '{\n  "schemaVersion": 1,\n  "traceEvents": [';
  const flush = () => {
    writeSync(file, text);
    position += text.length;
    text = '';
  };
  for (let step = 0; position + text.length < bytes; step++) {
    for (const event of stepEvents(step)) {
      text += `${ends.length === 0 ? '' : ','}\n  ${event}`;
      ends.push(position + text.length);
    }
    if (text.length > 1 << 20) flush();
  }
  text += '\n  ],\n  "traceName": "large.json"\n}\n';
  flush();
  closeSync(file);
  return Float64Array.from(ends);
}

function stepEvents(step: number): string[] {
  const startUs = 1712195495519689 + step * 100;
  const correlation = step * eventsPerStep;
  const event = (category: string, name: string, tid: number, fromUs: number, duration: string, args: string) =>
    `{
    "ph": "X", "cat": "${category}", "name": "${name}", "pid": ${tid === 7 ? '0' : '4242'}, "tid": ${String(tid)},
    "ts": ${String(startUs + fromUs)}.${String(step % 1000).padStart(3, '0')}, "dur": ${duration},
    "args": {
      ${args}
    }
  }`;
  const ids = `"correlation": ${String(correlation)}, "External id": ${String(step)}`;
  return [
    event('user_annotation', `step_${String(step % 50)}`, 4242, 0, '99.5', `"Ev Idx": ${String(step)}`),
    event(
      'cpu_op',
      'aten::addmm',
      4242,
      1,
      '60',
      `"External id": ${String(step)}, "Input Dims": [[4, 1024], [1024, 8]]`,
    ),
    event('cuda_runtime', 'cudaLaunchKernel', 4242, 5, '4.250', `"cbid": 211, ${ids}`),
    event('kernel', 'ampere_sgemm_128x64_tn', 7, 20, '50.125', `"device": 0, "stream": 7, "grid": [8, 4, 1], ${ids}`),
    event('gpu_memcpy', 'Memcpy HtoD (Pinned -> Device)', 7, 80, '3', '"device": 0, "stream": 7, "bytes": 4096'),
  ];
}
