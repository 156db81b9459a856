import {connect, serve, type Ask, type Contract, type Handlers, type Port} from '../../src/protocol/rpc.js';
import type {PageRequests} from '../../src/protocol/page-messages.js';
import type {HostRequests, ViewRequests} from '../../src/protocol/view-messages.js';
import {watchFaults} from './fault-bar.js';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host, as a view sees it: what may be asked of it, and what it asks. */
export interface Host<Asked extends Contract<Asked> = HostRequests, Served extends Contract<Served> = ViewRequests> {
  readonly ask: Ask<Asked>;
  /** State that outlives hiding the view and reloading the window. It comes back as unknown: a later version may read it. */
  restore(): unknown;
  store(state: unknown): void;
  /** Answers what the host asks. */
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
  // Every host answers these besides what the view's own contract has.
  watchFaults(ask as unknown as Ask<PageRequests>);
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
