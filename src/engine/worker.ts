import {parentPort} from 'node:worker_threads';
import type {EngineRequests} from '../protocol/engine-messages.js';
import {serve} from '../protocol/rpc.js';
import {createEngine} from './engine.js';
import {workerPort} from './worker-port.js';

if (parentPort) serve<EngineRequests>(workerPort(parentPort), createEngine());
