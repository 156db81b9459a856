import {threadCpuMs} from './thread-cpu.js';

/**
 * Runs `work`; `times` is how many times as long as usual work it takes, in CPU time of this thread. A limit in ms would
 * be wrong on a slower machine. Usual work runs before and after, because a machine’s pace changes: the longer counts.
 */
export async function timesUsualWork<T>(work: () => T): Promise<{result: Awaited<T>; times: number}> {
  const beforeMs = usualWorkMs();
  const startMs = threadCpuMs();
  const result = await work();
  const tookMs = threadCpuMs() - startMs;
  return {result, times: tookMs / Math.max(beforeMs, usualWorkMs())};
}

/** Returns the CPU time that usual work takes this thread now, in ms: it reads and writes 6 MB of JSON. */
export function usualWorkMs(): number {
  const startMs = threadCpuMs();
  for (let i = 0; i < 4; i++) {
    const events = JSON.parse(usualText) as {name: string}[];
    const byName = new Map(events.map(event => [event.name, event]));
    if (JSON.stringify([...byName.values()]) !== usualText) throw new Error('This is not the usual work.');
  }
  return threadCpuMs() - startMs;
}

const usualText = JSON.stringify(
  Array.from({length: 20_000}, (_, id) => ({ph: 'X', name: `op_${String(id)}`, ts: id * 1.5, dur: 7, args: {id}})),
);
