import {gunzipSync} from 'node:zlib';

/** A job that is generated from one rank's recording. Times are µs. */
export interface RecordedJob {
  readonly ranks: number;
  /** Number of repetitions of the recording: each has its steps again, with consecutive numbers. */
  readonly times: number;
  /** By rank, how far its clock is ahead, and how much faster it runs, in millionths. */
  readonly aheadUs?: (rank: number) => number;
  readonly fastPpm?: (rank: number) => number;
  /** The rank that does something else for this long in each step, before its first collective. */
  readonly straggler?: {readonly rank: number; readonly lateUs: number};
}

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly id?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}
interface Profile {
  readonly baseTimeNanoseconds: number;
  readonly distributedInfo: Readonly<Record<string, unknown>>;
  readonly traceEvents: readonly Event[];
}

const pauseUs = 1000;

/**
 * Generates ranks of a job from a compressed PyTorch trace with one rank's Gloo calls and steps: all ranks leave a call
 * together on one true clock, from which each rank's own clock differs.
 */
export class RanksOfRecording {
  readonly #profile: Profile;
  /** When each step's first collective begins and ends. */
  readonly #firstCalls: readonly {readonly fromUs: number; readonly toUs: number}[];
  readonly #fromUs: number;
  readonly #lengthUs: number;
  readonly #steps: number;
  readonly #lastId: number;

  constructor(
    gzipped: Buffer,
    private readonly job: RecordedJob,
  ) {
    this.#profile = JSON.parse(gunzipSync(gzipped).toString()) as Profile;
    const timed = this.#profile.traceEvents.filter(({ph}) => ph === 'X');
    const spans = timed.map(({name, ts = 0, dur = 0}) => ({name, fromUs: ts, toUs: ts + dur}));
    const steps = spans.filter(({name}) => name.startsWith('ProfilerStep#'));
    const calls = spans.filter(({name}) => name.startsWith('gloo:')).sort((a, b) => a.fromUs - b.fromUs);
    this.#firstCalls = steps.flatMap(({fromUs, toUs}) => {
      const first = calls.find(call => call.fromUs >= fromUs && call.fromUs < toUs);
      return first ? [first] : [];
    });
    this.#steps = steps.length;
    this.#fromUs = spans.reduce((least, {fromUs}) => Math.min(least, fromUs), Infinity);
    this.#lengthUs = spans.reduce((most, {toUs}) => Math.max(most, toUs), 0) - this.#fromUs + pauseUs;
    this.#lastId = this.#profile.traceEvents.reduce((most, {id}) => Math.max(most, id ?? 0), 0) + 1;
  }

  /** Returns the beginning of a rank's file, in which ranks with the same body differ. */
  head(rank: number): string {
    const {baseTimeNanoseconds, distributedInfo} = this.#profile;
    const {ranks, aheadUs = () => 0} = this.job;
    const group = {
      pg_name: '0',
      pg_desc: 'default_pg',
      backend_config: 'cpu:gloo',
      pg_size: ranks,
      ranks: [...Array(ranks).keys()],
    };
    const head = {
      ...this.#profile,
      traceEvents: undefined,
      distributedInfo: {...distributedInfo, rank, world_size: ranks, pg_count: 1, pg_config: [group]},
      // A double represents such a time only to 256 ns.
      baseTimeNanoseconds: baseTimeNanoseconds + Math.round((1000 * aheadUs(rank)) / 256) * 256,
    };
    return `${JSON.stringify(head).slice(0, -1)},"traceEvents":[`;
  }

  /** Yields the rest of the file in pieces: the same for ranks of one clock rate that are not the straggler. */
  *body(rank: number): Generator<string> {
    const {times, fastPpm = () => 0, straggler} = this.job;
    const rate = 1 + fastPpm(rank) / 1e6;
    const lateUs = straggler?.lateUs ?? 0;
    const isLate = straggler?.rank === rank;
    for (let time = 0; time < times; time++) {
      const beforeUs = time * (this.#lengthUs + this.#firstCalls.length * lateUs);
      // The straggler reaches the call late; the others leave it late.
      const moved = (us: number) => {
        const calls = this.#firstCalls.filter(({fromUs, toUs}) => us >= (isLate ? fromUs : toUs)).length;
        return this.#fromUs + (us - this.#fromUs + beforeUs + calls * lateUs) * rate;
      };
      const events = this.#profile.traceEvents.flatMap(event => this.#again(event, time, moved));
      yield (time === 0 ? '' : ',') + JSON.stringify(events).slice(1, -1);
    }
    yield ']}';
  }

  /** @returns nothing for thread names, after the first repetition */
  #again(event: Event, time: number, moved: (us: number) => number): Event[] {
    const {ts, dur, id, name, ph} = event;
    if (ph === 'M' || ts === undefined) return time === 0 ? [event] : [];
    const step = /^ProfilerStep#(\d+)$/.exec(name)?.[1];
    const fromUs = moved(ts);
    return [
      {
        ...event,
        name: step === undefined ? name : `ProfilerStep#${String(Number(step) + time * this.#steps)}`,
        ts: Math.round(1000 * fromUs) / 1000,
        ...(dur !== undefined && {dur: Math.round(1000 * (moved(ts + dur) - fromUs)) / 1000}),
        ...(id !== undefined && {id: id + time * this.#lastId}),
      },
    ];
  }
}
