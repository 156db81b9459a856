import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {expect} from 'vitest';

/** A call of Gloo, on the clock that all ranks of a machine share. */
export interface GlooCall {
  readonly name: string;
  readonly startNs: number;
  readonly durationNs: number;
}

/** Returns Gloo's calls in a compressed PyTorch trace, in order of start, without using our own readers. */
export function glooCalls(path: string): GlooCall[] {
  const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
    traceEvents: {ph: string; name: string; ts: number; dur: number}[];
  };
  return traceEvents
    .filter(({ph, name}) => ph === 'X' && name.startsWith('gloo:'))
    .map(({name, ts, dur}) => ({name, startNs: Math.round(1000 * ts), durationNs: Math.round(1000 * dur)}))
    .sort((a, b) => a.startNs - b.startNs);
}

/** A row of `collective_trace`, as in its JSON. */
export type CallRow = Readonly<Record<string, number | string | null>>;

/**
 * Expects each rank's waiting time in each call to match the common clock: from its own start to the last rank's. By
 * definition all ranks end together, so the error may be as large as the spread of their ends.
 *
 * @param ranks by rank and call
 * @param rows the same
 */
export function expectWaitingByClock(
  ranks: readonly (readonly GlooCall[])[],
  rows: readonly (readonly CallRow[])[],
): void {
  for (const call of ranks[0]?.keys() ?? []) {
    const of = ranks.map(calls => calls[call]).filter(each => each !== undefined);
    const ends = of.map(({startNs, durationNs}) => startNs + durationNs);
    const spreadNs = Math.max(...ends) - Math.min(...ends);
    const lastNs = Math.max(...of.map(({startNs}) => startNs));
    for (const [rank, calls] of rows.entries()) {
      const [waitNs, transferNs] = [Number(calls[call]?.['Wait (ns)']), Number(calls[call]?.['Transfer (ns)'])];
      expect(waitNs + transferNs).toBe(calls[call]?.['Duration (ns)']);
      const untilLastNs = lastNs - (of[rank]?.startNs ?? NaN);
      expect(waitNs).toBeGreaterThanOrEqual(untilLastNs - spreadNs);
      expect(waitNs).toBeLessThanOrEqual(untilLastNs + 2 * spreadNs);
    }
  }
}
