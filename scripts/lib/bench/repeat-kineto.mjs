// Writes a large Kineto trace: repetitions of a recording, one after the other.
import {createWriteStream} from 'node:fs';
import {once} from 'node:events';

/** Numbers that are increased in each repetition, so that joins match within one repetition only. */
const raised = /^(External id|correlation|Sequence number|Ev Idx|Record function id)$/;

/**
 * Writes the file in the layout of PyTorch's profiler, piece by piece.
 *
 * @param {ReturnType<import('./recorded-step.mjs').recordedStep>} recording
 * @param {string} path
 * @param {number} copies
 */
export async function writeKineto({pid, events, periodNs}, path, copies) {
  const file = createWriteStream(path);
  const templates = events.map(event => template(event, pid));
  const strides = stridesOf(events);
  const head =
    '{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {\n      "id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 84987740160\n    }],\n  "baseTimeNanoseconds": 1790857026000000000,\n  "traceEvents": [\n  ';
  file.write(head);
  for (let copy = 0; copy < copies; copy++) {
    const text = `${copy === 0 ? '' : ',\n  '}${templates.map(parts => render(parts, copy, periodNs, strides)).join(',\n  ')}`;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end('\n  ]}\n');
  await once(file, 'close');
}

/** Returns an event as fixed texts, between which the changing values go. */
function template({cat, name, tid, startNs, durationNs, args}, pid) {
  const ofGpu = cat === 'kernel';
  const [before, step] = /^(ProfilerStep#)(\d+)$/.exec(name)?.slice(1) ?? [name, null];
  const parts = [`{\n    "ph": "X", "cat": "${cat}", "name": ${JSON.stringify(before).slice(0, -1)}`];
  if (step !== null) parts.push({key: 'step', value: Number(step)});
  parts.push(`", "pid": ${String(ofGpu ? 0 : pid)}, "tid": ${String(tid)},\n    "ts": `, {key: 'ts', value: startNs});
  parts.push(`, "dur": ${microseconds(durationNs)},\n    "args": {\n      `);
  Object.entries(args).forEach(([key, value], at) => {
    parts.push(`${at === 0 ? '' : ', '}${JSON.stringify(key)}: `);
    parts.push(raised.test(key) ? {key, value} : JSON.stringify(value));
  });
  parts.push('\n    }\n  }');
  return parts;
}

function stridesOf(events) {
  const strides = {step: events.filter(({name}) => name.startsWith('ProfilerStep#')).length};
  for (const {args} of events) {
    for (const [key, value] of Object.entries(args)) {
      if (raised.test(key)) strides[key] = Math.max(strides[key] ?? 0, value + 1);
    }
  }
  return strides;
}

function render(parts, copy, periodNs, strides) {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.key === 'ts') text += microseconds(4_452_616_966_689_315 + copy * periodNs + part.value);
    else text += String(part.value + copy * strides[part.key]);
  }
  return text;
}

function microseconds(ns) {
  const us = Math.floor(ns / 1000);
  return `${String(us)}.${String(ns - 1000 * us).padStart(3, '0')}`;
}
