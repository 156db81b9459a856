import type {ChildProcess, Serializable} from 'node:child_process';
import type {Port} from '../protocol/rpc.js';

/** Returns a port of the RPC over the channel between a process and its child, for either end. */
export function processPort(end: ChildProcess | NodeJS.Process): Port {
  return {
    post: message => {
      // The other end may be gone: an event notifies those that wait.
      if (end.connected) end.send?.(message as Serializable, undefined, undefined, () => undefined);
    },
    onMessage: handler => {
      end.on('message', handler);
    },
  };
}
