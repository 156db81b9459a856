import type {PrecisionRow} from '../../core/benchmark/precision-map.js';
import type {PointError, PointResult, StepPhase} from '../../core/benchmark/point-result.js';
import type {SweepPoint} from '../../core/benchmark/sweep-points.js';
import type {PointEvent} from './point-events.js';

/** How the process of a point ended. */
export interface PointEnd {
  readonly status: number;
  /** The last line of output, "" for none. */
  readonly lastLine: string;
  /** The time limit that ended the process; null if it ended by itself. */
  readonly limitSeconds: number | null;
}

const sigkill = 128 + 9;

/** Collects the events of a point into its result. */
export class PointRecord {
  readonly #warmupNs: number[] = [];
  readonly #stepNs: number[] = [];
  readonly #phaseNs: Partial<Record<StepPhase, number[]>> = {};
  readonly #startedAt = new Date().toISOString();
  #told: Pick<PointResult, 'error' | 'message'> | null = null;
  #work: Pick<PointResult, 'parameters' | 'parametersWithoutEmbedding' | 'samples' | 'tokens' | 'device'> = {
    parameters: null,
    parametersWithoutEmbedding: null,
    samples: null,
    tokens: null,
    device: null,
  };
  #memory: PointResult['memory'] = null;
  #environment: PointResult['environment'] = {};
  #sleptNs = 0;
  /** Path of the recorded profile, null for none. */
  tracePath: string | null = null;
  /** The rows of the precision map, null for none. */
  precision: readonly PrecisionRow[] | null = null;

  /** Whether all steps were measured: the process reported that it finished. */
  isDone = false;

  constructor(private readonly point: SweepPoint) {}

  get measuredSteps(): number {
    return this.#stepNs.length;
  }

  add(event: PointEvent): void {
    switch (event.event) {
      case 'environment':
        this.#environment = event.values;
        break;
      case 'gpu':
        this.#environment = {...this.#environment, gpuAfter: event.values};
        break;
      case 'work': {
        const {parameters, parametersWithoutEmbedding, samples, tokens, device} = event;
        this.#work = {parameters, parametersWithoutEmbedding, samples, tokens, device};
        break;
      }
      case 'step':
        this.#addStep(event);
        break;
      case 'slept':
        this.#sleptNs += event.ns;
        break;
      case 'memory':
        this.#memory = event.memory;
        break;
      case 'trace':
        this.tracePath = event.path;
        break;
      case 'precision':
        this.precision = event.rows;
        break;
      case 'failed':
        this.#told = {error: event.error, message: event.message};
        break;
      case 'done':
        this.isDone = true;
        this.#told = {error: event.error, message: event.error === 'nan' ? nanMessage : null};
        break;
    }
  }

  /** Returns the result from the events received before the process ended. */
  result(end: PointEnd): PointResult {
    return {
      point: this.point,
      warmupNs: this.#warmupNs,
      stepNs: this.#stepNs,
      phaseNs: this.#phaseNs,
      ...this.#outcome(end),
      ...this.#work,
      memory: this.#memory,
      sleptNs: this.#sleptNs,
      environment: this.#environment,
      startedAt: this.#startedAt,
      endedAt: new Date().toISOString(),
    };
  }

  #addStep({phase, ns, phases}: Extract<PointEvent, {event: 'step'}>): void {
    if (phase === 'warm-up') {
      this.#warmupNs.push(ns);
      return;
    }
    this.#stepNs.push(ns);
    for (const [name, duration] of Object.entries(phases)) {
      (this.#phaseNs[name as StepPhase] ??= []).push(duration);
    }
  }

  #outcome({status, lastLine, limitSeconds}: PointEnd): {error: PointError | null; message: string | null} {
    if (this.#told) return this.#told;
    if (limitSeconds !== null) {
      const steps = `${String(this.#warmupNs.length)} warm-up and ${String(this.#stepNs.length)} measured steps`;
      return {error: 'time-limit', message: `It took longer than ${String(limitSeconds)} s; ${steps} had ended.`};
    }
    const words = lastLine === '' ? '' : ` Its last words: ${lastLine.slice(0, 300)}`;
    if (status === sigkill) {
      return {error: 'killed', message: `The system killed it, as it does where memory runs out.${words}`};
    }
    return {error: 'crash', message: `It ended with status ${String(status)} and said nothing of why.${words}`};
  }
}

const nanMessage = 'A loss or an output was NaN or infinite; the times are those of such steps.';
