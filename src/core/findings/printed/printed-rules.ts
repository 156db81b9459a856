import {callsListedTwice} from './calls-listed-twice.js';
import {copiesBesideKernels} from './copies-beside-kernels.js';
import {firstSample} from './first-sample.js';
import {hostTime} from './host-time.js';
import {manyWaits} from './many-waits.js';
import {mixedPrecision} from './mixed-precision.js';
import type {PrintedRule} from './printed-rule.js';
import {severalPasses} from './several-passes.js';
import {slowInstances} from './slow-instances.js';
import {smallProducts} from './small-products.js';

/** Every rule about printed tables, one per file. */
export const printedRules: readonly PrintedRule[] = [
  severalPasses,
  hostTime,
  slowInstances,
  callsListedTwice,
  copiesBesideKernels,
  firstSample,
  manyWaits,
  smallProducts,
  mixedPrecision,
];
