import {EventEmitter} from './vscode-stand-in.js';

/** A store of jobs in which none is open. */
export const noJob: Readonly<Record<'active' | 'rankOf' | 'onDidChange', unknown>> = {
  active: null,
  rankOf: () => null,
  onDidChange: new EventEmitter().event,
};
