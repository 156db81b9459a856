import {formatCount} from '../../core/format/count.js';
import type {RunOutcome} from './run-outcome.js';
import {choiceText, placeText, stepsText, type SeenLoop} from './seen-loop.js';

const mostOthers = 3;
/** Recordings begin after a short warm-up, which need not be mentioned. */
const usualFirst = 10;

/** Returns a sentence about the recorded steps, the other loops that were seen, and how to record those. */
export function loopsNote({traces, loops}: Pick<RunOutcome, 'traces' | 'loops'>): string | null {
  const recorded = traces.filter(({kind, loop}) => kind === 'steps' && loop !== null);
  const main = recorded.find(({loop}) => loop?.what === 'train' || loop?.what === 'range') ?? recorded[0];
  if (!main?.loop) return null;
  const {loop} = main;
  const others = loops.filter(other => !isSame(other, loop));
  const seen = others.slice(0, mostOthers).map(other => seenText(other));
  if (others.length > mostOthers) seen.push(`${formatCount(others.length - mostOthers)} more`);
  const place = choiceText(others[0] ?? loop, [loop, ...others]);
  const choose =
    seen.length > 0 && place !== null ? ` To record another loop, use --step FILE:LINE (--step ${place}).` : '';
  const also = seen.length > 0 ? `; also seen: ${seen.join(', ')}` : '';
  const from = main.first === null || main.first <= usualFirst ? '' : `, from step ${formatCount(main.first)} on`;
  return `Recorded ${stepsText(loop, main.steps)}${atPlace(loop)}${from}${also}.${choose}`;
}

function seenText(loop: SeenLoop): string {
  const place = placeText(loop);
  return `${loop.isMore ? 'at least ' : ''}${stepsText({...loop, of: null, calls: null}, loop.count)}${place === null ? '' : ` at ${place}`}`;
}

function atPlace(loop: SeenLoop): string {
  const place = placeText(loop);
  return place === null ? '' : `, ${place}`;
}

function isSame(one: SeenLoop, other: SeenLoop): boolean {
  return one.what === other.what && one.unit === other.unit && one.file === other.file && one.line === other.line;
}
