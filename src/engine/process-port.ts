import type {ChildProcess, Serializable} from 'node:child_process';
import type {Port} from '../protocol/rpc.js';

/** The channel between a process and one that it started, seen from either end, as a port of the RPC. */
export function processPort(end: ChildProcess | NodeJS.Process): Port {
  return {
    post: message => {
      // The other end may be gone: whoever waits is told of that by the event.
      if (end.connected) end.send?.(message as Serializable, undefined, undefined, () => undefined);
    },
    onMessage: handler => {
      end.on('message', handler);
    },
  };
}
