import type {TraceNote} from '../../core/trace/trace.js';

/** Takes the stored bytes; `isDone` is true once it can take no more. */
export interface ByteSink {
  readonly isDone: boolean;
  write(chunk: Buffer): Promise<void> | void;
  end(): Promise<TraceNote | null> | null;
  close(): void;
}

/** Passes on uncompressed bytes unchanged. */
export class PlainSink implements ByteSink {
  readonly isDone = false;

  constructor(private readonly onBytes: (chunk: Buffer) => void) {}

  write(chunk: Buffer): void {
    this.onBytes(chunk);
  }

  end(): null {
    return null;
  }

  close(): void {
    // It holds nothing.
  }
}
