import type {EventBatch} from './event-batch.js';

/** Receives what the reader finds. */
export interface ChromeTraceSink {
  /** The text of a number, sent once before the first event that uses it. */
  text(number: number, text: string): void;
  /**
   * The next events: a full batch, or fewer if their texts are long. The batch is reused after as many others as the
   * reader has, less one; if it has only one, read it during the call.
   */
  events(batch: EventBatch): void;
  /** A top-level member other than `traceEvents`, as JSON text. */
  metadata(key: string, json: string): void;
}

/** The outcome of a stream that has ended. */
export interface ChromeTraceOutcome {
  readonly events: number;
  /** Events that could not be read; reading continued with the next one. */
  readonly malformedEvents: number;
  /** The stream ended before the JSON did. */
  readonly isTruncated: boolean;
  /** The file has more data after the trace's end. */
  readonly hasTrailingData: boolean;
  /** The JSON is an object with a list `traceEvents`. */
  readonly hasTraceEvents: boolean;
}
