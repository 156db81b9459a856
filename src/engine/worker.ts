import {parentPort, workerData} from 'node:worker_threads';
import {programDigest} from '../importers/cache/program-digest.js';
import type {EngineRequests, EngineStart} from '../protocol/engine-messages.js';
import {serve} from '../protocol/rpc.js';
import {createEngine} from './engine.js';
import {urgency} from './timeline-handlers.js';
import {urgentFirst} from './urgent-first.js';
import {workerPort} from './worker-port.js';

if (parentPort) {
  const digest = programDigest(process.argv[1] ?? '');
  serve<EngineRequests>(urgentFirst(workerPort(parentPort), urgency), createEngine(workerData as EngineStart, digest));
}
