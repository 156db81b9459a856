import type {CommandOptions} from './command.js';
import {talkOptions} from './talk.js';

/** The options of every command. */
export const commonOptions = {
  format: {type: 'string'},
  'memory-limit': {type: 'string'},
  exact: {type: 'boolean'},
  ...talkOptions,
} as const satisfies CommandOptions;
