import {randomUUID} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {hostname} from 'node:os';
import {setTimeout as delay} from 'node:timers/promises';
import {formatCount} from '../../core/format/count.js';
import {EventFollower} from '../programs/event-follower.js';
import {isRunning} from '../programs/is-running.js';
import type {IdleRun} from './idle-runs.js';
import {loopsNote} from './loops-note.js';
import type {ProfileResult} from './profile-result.js';
import {askForRecording, type RecordingRequest} from './run-control.js';
import {eventsFileIn} from './run-folder.js';
import {overheadNote, profilesOf, RunRecord} from './run-outcome.js';
import {progressText} from './run-progress.js';
import {parseRunnerEvent, type RunnerEvent} from './runner-events.js';

const pollMs = 100;
/** Ranks begin together. Independent processes may begin this much later. */
const settleMs = 1000;

/** What a trigger needs from its caller. */
export interface TriggerSurroundings {
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** How long to wait for the next step. */
  readonly waitMs: number;
}

/**
 * Makes an idle run record its next steps, and waits until it has. The request is carried out even if the caller no
 * longer waits.
 *
 * @throws the file system's error if the file cannot be written
 */
export async function triggerRun(
  run: IdleRun,
  request: RecordingRequest,
  {signal, onProgress, waitMs}: TriggerSurroundings,
): Promise<ProfileResult> {
  const id = randomUUID();
  const watch = new TriggerWatch(id);
  const file = eventsFileIn(run.folder);
  const begin = await stat(file).then(
    ({size}) => size,
    () => 0,
  );
  const take = (event: RunnerEvent) => {
    const text = watch.take(event) ? progressText(event) : null;
    if (text !== null) onProgress(text);
  };
  const follower = new EventFollower(file, parseRunnerEvent, take, undefined, begin);
  follower.start();
  try {
    await askForRecording(run.folder, id, request);
    const lastMs = performance.now() + waitMs;
    for (let isGone = false; !watch.isOver && !isGone && !signal.aborted;) {
      if (!watch.hasBegun && performance.now() > lastMs) break;
      isGone = run.host === hostname() && !isRunning(run.pid);
      await delay(pollMs);
      await follower.poll();
    }
  } finally {
    await follower.stop();
  }
  return resultOf(run, watch, signal.aborted, waitMs);
}

/** Collects the messages of a run's processes about one trigger. */
class TriggerWatch {
  readonly record = new RunRecord();
  hasBegun = false;
  isRefused = false;
  hasEnded = false;
  #begunMs = 0;
  readonly #open = new Set<string>();
  readonly #paths = new Set<string>();

  constructor(private readonly id: string) {}

  /** Returns whether no more messages are expected. */
  get isOver(): boolean {
    const isSettled = this.#open.size === 0 && performance.now() - this.#begunMs > settleMs;
    return this.hasEnded || (this.isRefused && !this.hasBegun) || (this.hasBegun && isSettled);
  }

  /** Takes an event of the run. Returns whether it concerns this trigger. */
  take(event: RunnerEvent): boolean {
    if (event.event === 'trigger') {
      if (event.id === this.id) this.#takeState(event.state, event.process);
      return false;
    }
    if (event.event === 'exit') this.hasEnded = true;
    if (!this.#isMine(event)) return false;
    this.record.add(event);
    return true;
  }

  #takeState(state: string, process: string): void {
    if (state === 'refused') this.isRefused = true;
    // It may be refused after it has begun: the script then profiles itself.
    if (state === 'done' || state === 'refused') this.#open.delete(process);
    else if (state === 'taken') {
      this.#open.add(process);
      this.hasBegun = true;
      this.#begunMs = performance.now();
    }
  }

  #isMine(event: RunnerEvent): boolean {
    if (event.event === 'trace') {
      if (event.trigger === this.id) this.#paths.add(event.path);
      return event.trigger === this.id;
    }
    if (event.event === 'overhead') return event.path !== null && this.#paths.has(event.path);
    return this.hasBegun && this.#open.size > 0 && event.event !== 'loops';
  }
}

function resultOf(run: IdleRun, watch: TriggerWatch, isCancelled: boolean, waitMs: number): ProfileResult {
  const {record} = watch;
  const profiles = profilesOf(record);
  const isEnough = profiles.length > 0 || isCancelled || (watch.hasBegun && record.errors.length > 0);
  return {
    profiles,
    status: profiles.length > 0 ? 0 : 1,
    isCancelled,
    sentences: [...(isEnough ? [] : [whyNothing(run, watch, waitMs)]), ...record.errors],
    notes: [loopsNote(record), overheadNote(record)].filter(note => note !== null),
    tail: [],
  };
}

function whyNothing({name, folder, pid, host}: IdleRun, watch: TriggerWatch, waitMs: number): string {
  const {isRefused, hasBegun, hasEnded} = watch;
  if (isRefused) return `${name} profiles itself, or an error ended its recording: it cannot be recorded any more.`;
  if (hasBegun) return `${name} ended before its steps were recorded.`;
  if (hasEnded || (host === hostname() && !isRunning(pid))) {
    return `${name} ended before its next step.`;
  }
  const seconds = formatCount(Math.round(waitMs / 1000));
  return `${name} took no step for ${seconds} s. Its next steps are recorded when they come, in ${folder}.`;
}
