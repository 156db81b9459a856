import {say} from '../base/say.js';
import {formatPercent} from '../format/duration.js';
import type {CollectiveWaits} from './call-waits.js';

/** Returns "3.35 GB/s"; "" if unknown. */
export function formatRate(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '' : `${(bytesPerSecond / 1e9).toPrecision(3)} GB/s`;
}

/** Returns "NVLink", "NVLink, if on one host" or "unknown link"; "" for calls without a bandwidth. */
export function linkText({link, busBytesPerSecond}: CollectiveWaits): string {
  if (busBytesPerSecond === null) return '';
  if (link === null) return say('unknown link');
  return link.isAssumed ? say('{0}, if on one host', link.name) : link.name;
}

/** Returns "38.1 %"; "" if unknown. */
export function shareText({shareOfLink}: CollectiveWaits): string {
  return shareOfLink === null ? '' : formatPercent(shareOfLink, 1);
}
