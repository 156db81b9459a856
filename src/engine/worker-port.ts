import type {MessagePort, Worker} from 'node:worker_threads';
import type {Port} from '../protocol/rpc.js';

/** A worker's channel, seen from either end, as a port of the RPC. */
export function workerPort(channel: MessagePort | Worker): Port {
  return {
    post: message => {
      channel.postMessage(message);
    },
    onMessage: handler => {
      channel.on('message', handler);
    },
  };
}
