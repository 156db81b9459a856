import {connect, serve, type Ask, type Contract, type Handlers, type Port} from '../../src/protocol/rpc.js';
import type {PageRequests} from '../../src/protocol/page-messages.js';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {watchFaults} from './fault-bar.js';
import {leaveKeysToInputMethod} from './input-method.js';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host as a view sees it: the requests to it, and its requests to the view. */
export interface Host<Asked extends Contract<Asked> = HostRequests, Served extends Contract<Served> = ViewRequests> {
  readonly ask: Ask<Asked>;
  /**
   * State that outlives hiding the view and reloading the window. It is returned as unknown, because another version
   * may have written it.
   */
  restore(): unknown;
  store(state: unknown): void;
  /** Answers the host's requests. */
  serve(handlers: Handlers<Served>): void;
}

/** Connects to the extension host. May be called once per page. */
export function connectHost<
  Asked extends Contract<Asked> = HostRequests,
  Served extends Contract<Served> = ViewRequests,
>(): Host<Asked, Served> {
  const api = acquireVsCodeApi();
  const port: Port = {
    post: message => {
      api.postMessage(message);
    },
    onMessage: handler => {
      window.addEventListener('message', event => {
        handler(event.data);
      });
    },
  };
  const {ask} = connect<Asked>(port);
  // Every host answers these in addition to the view's own contract.
  watchFaults(ask as unknown as Ask<PageRequests>);
  leaveKeysToInputMethod();
  return {
    ask,
    restore: () => api.getState(),
    store: state => {
      api.setState(state);
    },
    serve: handlers => {
      serve<Served>(port, handlers);
    },
  };
}
