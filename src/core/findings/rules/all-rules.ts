import type {Rule} from './rule.js';
import {allocation} from './allocation.js';
import {attention} from './attention.js';
import {belowMemoryRoof} from './below-memory-roof.js';
import {casts} from './casts.js';
import {dataLoader} from './data-loader.js';
import {doubtfulTimes} from './doubtful-times.js';
import {elementwise} from './elementwise.js';
import {experts} from './experts.js';
import {exposedCommunication} from './exposed-communication.js';
import {fallingClocks} from './falling-clocks.js';
import {firstStep} from './first-step.js';
import {graphBreaks} from './graph-breaks.js';
import {launchBound} from './launch-bound.js';
import {mixedPrecision} from './mixed-precision.js';
import {optimizer} from './optimizer.js';
import {pageableCopies} from './pageable-copies.js';
import {peerCopies} from './peer-copies.js';
import {profilerOverhead} from './profiler-overhead.js';
import {pythonBetweenLaunches} from './python-between-launches.js';
import {singlePrecision} from './single-precision.js';
import {slowLink} from './slow-link.js';
import {smallCopies} from './small-copies.js';
import {smallMessages} from './small-messages.js';
import {synchronisation} from './synchronisation.js';
import {synchronousCopies} from './synchronous-copies.js';
import {twofoldCalls} from './twofold-calls.js';
import {unalignedShapes} from './unaligned-shapes.js';
import {unevenExperts} from './uneven-experts.js';
import {unevenRanks} from './uneven-ranks.js';
import {unevenSteps} from './uneven-steps.js';
import {unsynchronisedTimers} from './unsynchronised-timers.js';

/** Every rule, one per file. The order decides between findings with equal gains. */
export const allRules: readonly Rule[] = [
  doubtfulTimes,
  firstStep,
  unevenSteps,
  unsynchronisedTimers,
  profilerOverhead,
  fallingClocks,
  twofoldCalls,
  dataLoader,
  synchronisation,
  allocation,
  graphBreaks,
  pythonBetweenLaunches,
  launchBound,
  exposedCommunication,
  smallMessages,
  slowLink,
  unevenRanks,
  singlePrecision,
  mixedPrecision,
  casts,
  attention,
  unalignedShapes,
  belowMemoryRoof,
  elementwise,
  optimizer,
  pageableCopies,
  smallCopies,
  synchronousCopies,
  peerCopies,
  experts,
  unevenExperts,
];
