import {atRoof} from './at-roof.js';
import type {Change, ChangeKind} from './change.js';
import {graph, launchCost, removeSync} from './cpu-changes.js';
import {dataLoader} from './data-loader.js';
import {batch, faster, gpu, precision} from './gpu-changes.js';
import {loaderWorkers} from './loader-workers.js';
import {attention, balancedRanks, bucketSize, fuse, overlapCommunication} from './kernel-changes.js';

/** All kinds of changes. */
export const changeKinds: readonly ChangeKind[] = [
  ...[removeSync, dataLoader, loaderWorkers, launchCost, graph, faster, atRoof, fuse, precision, attention],
  ...[overlapCommunication, bucketSize, batch, gpu, balancedRanks],
];

/** Returns the change that a text requests (`faster=gemm:2`), or a sentence about its error. */
export function parseChange(text: string): Change | string {
  const at = text.indexOf('=');
  const word = at < 0 ? text : text.slice(0, at);
  const kind = changeKinds.find(one => one.word === word);
  if (!kind) {
    return `There is no change "${text}"; there are ${changeKinds.map(({usage}) => usage).join(', ')}.`;
  }
  const alter = kind.make(at < 0 ? '' : text.slice(at + 1));
  return typeof alter === 'string' ? `The change ${word} ${alter}.` : {text, alter};
}

/** Returns whether a text begins like a change. */
export function looksLikeChange(text: string): boolean {
  return changeKinds.some(({word}) => text === word || text.startsWith(`${word}=`));
}
