import {isCount, isFields, type JsonFields} from '../../src/core/base/read-json.js';
import {memoryStackings, type MemoryStacking} from '../../src/core/memory-snapshot/allocation-groups.js';
import type {CurveWindow} from '../../src/core/memory-snapshot/memory-curve.js';
import type {MemoryOverview} from '../../src/protocol/memory-messages.js';

/** The visible part of a snapshot. */
export interface Looked {
  device: number;
  by: MemoryStacking;
  window: Omit<CurveWindow, 'columns'>;
  moment: number;
  base: number | null;
}

/** Returns what tells versions of a view's snapshot apart. */
export function identityOf({devices}: MemoryOverview): string {
  return JSON.stringify(
    devices.map(({device, events, peakMoment, peak}) => [device, events, peakMoment, peak.allocatedBytes]),
  );
}

/** Returns what was looked at before the view was hidden; null if nothing valid was stored. */
export function storedLook({device, by, window, moment, base}: JsonFields, {devices}: MemoryOverview): Looked | null {
  const info = devices.find(one => one.device === device);
  const stacking = memoryStackings.find(known => known === by);
  const isMoment = (value: unknown): value is number => isCount(value) && info !== undefined && value <= info.events;
  const {fromMoment, toMoment} = isFields(window) ? window : {};
  if (!info || !stacking || !isMoment(moment) || !isMoment(fromMoment) || !isMoment(toMoment)) return null;
  const isWindow = fromMoment < toMoment;
  return {
    device: info.device,
    by: stacking,
    window: isWindow ? {fromMoment, toMoment} : {fromMoment: 0, toMoment: info.events},
    moment,
    base: isMoment(base) ? base : null,
  };
}
