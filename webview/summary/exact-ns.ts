import {formatCount} from '../../src/core/format/count.js';

/** A time as it was computed, for those who want to know: `566,759,477 ns`; parts of a ns are rounded. */
export const exactNs = (ns: number): string => `${formatCount(Math.round(ns))} ns`;
