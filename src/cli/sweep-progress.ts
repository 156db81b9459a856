import {measurementOf} from '../core/benchmark/measurement.js';
import {meanCell} from '../core/benchmark/figure-text.js';
import type {PointResult} from '../core/benchmark/point-result.js';
import {pointText} from '../core/benchmark/point-text.js';
import {measuredCount} from '../core/benchmark/sweep-record.js';
import type {SweepPoint} from '../core/benchmark/sweep-points.js';
import {plural} from '../core/format/count.js';
import type {SweepHandlers} from '../launch/benchmark/run-sweep.js';
import type {CommandContext} from './command.js';

/** Tells how a sweep comes along: a terminal each point, a log what it begins with and what failed. */
export class SweepProgress implements SweepHandlers {
  #count = 0;

  constructor(private readonly context: Pick<CommandContext, 'tell' | 'tellProgress'>) {}

  /** What points write: it is nobody's data. */
  readonly output = (text: string): void => {
    process.stderr.write(text);
  };

  readonly onBegin: SweepHandlers['onBegin'] = ({record}, points) => {
    this.#count = points.length;
    const count = measuredCount(record);
    this.context.tell(
      count > 0
        ? `gpu-lens: continuing the sweep of ${record.startedAt}: ${String(count)} of ${plural(points.length, 'point')} measured.`
        : `gpu-lens: ${plural(points.length, 'point')} to measure.`,
    );
  };

  readonly onPoint = (index: number, point: SweepPoint): void => {
    const count = this.#count === 0 ? '' : ` of ${String(this.#count)}`;
    this.context.tellProgress(`gpu-lens: point ${String(index + 1)}${count}: ${pointText(point)}`);
  };

  readonly onStep = (): void => undefined;

  readonly onResult = (index: number, result: PointResult): void => {
    const {text} = meanCell(measurementOf(index, result));
    const unit = result.stepNs.length > 0 ? ' ms' : '';
    if (result.message === null) this.context.tellProgress(`gpu-lens: ${text}${unit}`);
    else this.context.tell(`gpu-lens: point ${String(index + 1)}: ${text}${unit}: ${result.message}`);
  };
}
