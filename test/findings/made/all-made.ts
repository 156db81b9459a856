import {communicationCases} from './communication.js';
import {copyCases} from './copies.js';
import {doubtCases} from './doubt.js';
import {idleCases} from './idle.js';
import {kernelCases} from './kernels.js';
import type {MadeCase} from './made-case.js';
import {rareCases} from './rare.js';

/** Simulated programs in place of profiles that nobody has published. */
export const madeCases: readonly MadeCase[] = [
  ...doubtCases,
  ...idleCases,
  ...communicationCases,
  ...kernelCases,
  ...copyCases,
  ...rareCases,
];
