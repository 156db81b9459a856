import type {Rule} from './rule.js';
import {allocation} from './rules/allocation.js';
import {attention} from './rules/attention.js';
import {casts} from './rules/casts.js';
import {dataLoader} from './rules/data-loader.js';
import {doubtfulTimes} from './rules/doubtful-times.js';
import {elementwise} from './rules/elementwise.js';
import {experts} from './rules/experts.js';
import {exposedCommunication} from './rules/exposed-communication.js';
import {firstStep} from './rules/first-step.js';
import {launchBound} from './rules/launch-bound.js';
import {optimizer} from './rules/optimizer.js';
import {pageableCopies} from './rules/pageable-copies.js';
import {singlePrecision} from './rules/single-precision.js';
import {smallCopies} from './rules/small-copies.js';
import {synchronisation} from './rules/synchronisation.js';
import {twofoldCalls} from './rules/twofold-calls.js';
import {unevenSteps} from './rules/uneven-steps.js';

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
