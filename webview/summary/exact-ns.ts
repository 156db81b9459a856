import {formatCount} from '../../src/core/format/count.js';

/** Returns a time as computed, for users who want the exact value: `566,759,477 ns`; fractions of a ns are rounded. */
export const exactNs = (ns: number): string => `${formatCount(Math.round(ns))} ns`;
