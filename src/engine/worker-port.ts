import type {MessagePort, Worker} from 'node:worker_threads';
import type {Port} from '../protocol/rpc.js';

/** Returns a port of the RPC over a worker's channel, for either end. */
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
