import type {ReportDetails} from '../core/figures/report-details.js';
import type {Trace} from '../core/trace/trace.js';
import {loadReportDetails} from '../importers/report-details.js';

/** Shapes and collectives of open traces, read from the file once and kept as long as the trace. */
export class ShapeStore {
  readonly #read = new WeakMap<Trace, Promise<ReportDetails>>();

  /** @throws TraceError `file/…` */
  of(path: string, trace: Trace): Promise<ReportDetails> {
    const known = this.#read.get(trace);
    if (known) return known;
    const reading = loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
    this.#read.set(trace, reading);
    // Allows another try after a failure.
    reading.catch(() => this.#read.delete(trace));
    return reading;
  }
}
