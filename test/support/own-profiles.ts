import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {kineto, kinetoText, type KinetoEvent} from './kineto-events.js';
import {project} from './project.js';
import {smallModelTrace} from './small-model-trace.js';

interface Profile {
  readonly name: string;
  readonly path: string;
}

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

/**
 * Returns profiles that are part of the project, for the tests of real profiles, so that these also run without the
 * real ones. They are written into `folder`, except the sample, which our own runner recorded.
 */
export function ownProfiles(folder: string): {kineto: Profile[]; nsys: Profile[]} {
  return {
    kineto: [
      {name: 'the sample', path: sample},
      writeKineto(folder, 'two steps of a small model', smallModelTrace()),
      writeKineto(folder, 'forward and backward', trainingText()),
    ],
    nsys: [writeExport(folder, 'two-ranks')],
  };
}

function writeKineto(folder: string, name: string, text: string): Profile {
  const path = join(folder, `${name.replaceAll(' ', '-')}.pt.trace.json.gz`);
  writeFileSync(path, gzipSync(text));
  return {name, path};
}

function writeExport(folder: string, name: string): Profile {
  const path = join(folder, `${name}.sqlite`);
  const db = new Database(path);
  db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', `${name}.sql`), 'utf8'));
  db.close();
  return {name, path};
}

const mainThread = 100;
const backwardThread = 200;

/**
 * Returns a training step: two layers forward on the main thread, backward on autograd's, linked by sequence numbers
 * and flows, a copy, a memset, and a kernel that no call launched.
 */
function trainingText(): string {
  const events: object[] = [
    kineto.range('ProfilerStep#1', 0, 400),
    gpuEvent('gpu_memcpy', 'Memcpy HtoD (Pageable -> Device)', 90, 4, 3, {bytes: 4096}),
    {...call(90, 2, mainThread), name: 'cudaMemcpyAsync'},
    gpuEvent('gpu_memset', 'Memset (Device)', 91, 8, 1, {bytes: 64}),
    {...call(91, 6, mainThread), name: 'cudaMemsetAsync'},
    kineto.kernel(999, 390, 5),
  ];
  for (const layer of [0, 1]) {
    const forwardUs = 20 + 60 * layer;
    const backwardUs = 300 - 60 * layer;
    events.push(
      kineto.range(`layer_${String(layer)}`, forwardUs, 50),
      kineto.op('aten::linear', forwardUs + 5, 40, {'Sequence number': layer, 'Fwd thread id': 0}),
      kineto.op('aten::addmm', forwardUs + 10, 30, {'Sequence number': layer, 'Fwd thread id': 0}),
      ...launch(2 * layer + 1, forwardUs + 12, 20),
      arrow('s', layer, forwardUs + 10, mainThread),
      kineto.op(
        'autograd::engine::evaluate_function: AddmmBackward0',
        backwardUs,
        50,
        {'Sequence number': layer, 'Fwd thread id': 1},
        backwardThread,
      ),
      kineto.op('AddmmBackward0', backwardUs + 5, 40, {'Sequence number': layer, 'Fwd thread id': 1}, backwardThread),
      kineto.op('aten::mm', backwardUs + 10, 30, {}, backwardThread),
      ...launch(2 * layer + 2, backwardUs + 12, 35, backwardThread),
      arrow('f', layer, backwardUs + 5, backwardThread),
    );
  }
  return kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}]});
}

function launch(correlation: number, atUs: number, us: number, tid = mainThread): object[] {
  return [call(correlation, atUs, tid), kineto.kernel(correlation, atUs + 6, us)];
}

function call(correlation: number, atUs: number, tid: number): KinetoEvent {
  return {...kineto.call(correlation, atUs, 2), ...{tid}};
}

function gpuEvent(cat: string, name: string, correlation: number, ts: number, dur: number, args: object): object {
  return {...kineto.kernel(correlation, ts, dur, args), cat, name};
}

function arrow(ph: 's' | 'f', id: number, ts: number, tid: number): object {
  return {ph, id, pid: 100, tid, ts, cat: 'fwdbwd', name: 'fwdbwd', ...(ph === 'f' && {bp: 'e'})};
}
