import type {Rule} from './rule.js';
import {allocation} from './allocation.js';
import {attention} from './attention.js';
import {casts} from './casts.js';
import {dataLoader} from './data-loader.js';
import {doubtfulTimes} from './doubtful-times.js';
import {elementwise} from './elementwise.js';
import {experts} from './experts.js';
import {exposedCommunication} from './exposed-communication.js';
import {firstStep} from './first-step.js';
import {launchBound} from './launch-bound.js';
import {optimizer} from './optimizer.js';
import {pageableCopies} from './pageable-copies.js';
import {singlePrecision} from './single-precision.js';
import {smallCopies} from './small-copies.js';
import {synchronisation} from './synchronisation.js';
import {twofoldCalls} from './twofold-calls.js';
import {unevenSteps} from './uneven-steps.js';

/** Every rule, a file each. The order decides where findings gain the same. */
export const allRules: readonly Rule[] = [
  doubtfulTimes,
  firstStep,
  unevenSteps,
  twofoldCalls,
  dataLoader,
  synchronisation,
  allocation,
  launchBound,
  exposedCommunication,
  singlePrecision,
  attention,
  casts,
  elementwise,
  optimizer,
  pageableCopies,
  smallCopies,
  experts,
];
