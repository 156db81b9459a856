import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {parentPort, workerData} from 'node:worker_threads';
import type {EngineRequests, EngineStart} from '../protocol/engine-messages.js';
import {serve} from '../protocol/rpc.js';
import {createEngine} from './engine.js';
import {workerPort} from './worker-port.js';

if (parentPort) serve<EngineRequests>(workerPort(parentPort), createEngine(workerData as EngineStart, programDigest()));

/** Of the bundle that this is: any change of the importers makes another one, and so does any release. */
function programDigest(): string {
  return createHash('sha256')
    .update(readFileSync(process.argv[1] ?? ''))
    .digest('hex');
}
