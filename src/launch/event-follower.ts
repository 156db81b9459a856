import {open} from 'node:fs/promises';
import {StringDecoder} from 'node:string_decoder';
import {parseRunnerEvent, type RunnerEvent} from './runner-events.js';

const pollMs = 150;
const readBytes = 64 * 1024;

/**
 * Hands over the events of a run as its processes append them.
 *
 * The file is polled: it may lie on a network share, where changes are not announced.
 */
export class EventFollower {
  #position = 0;
  #open = '';
  readonly #decoder = new StringDecoder('utf8');
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly onEvent: (event: RunnerEvent) => void,
  ) {}

  start(): void {
    this.#timer = setInterval(() => {
      void this.poll();
    }, pollMs);
  }

  /** Reads what is there now, then stops. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.poll();
  }

  /** Reads what has been appended since; reads of one follower never overlap. */
  poll(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    // The file comes with the runner's first event, and may be gone when the run's folder is cleaned away.
    const handle = await open(this.file, 'r').catch(() => null);
    if (!handle) return;
    try {
      const buffer = Buffer.alloc(readBytes);
      for (;;) {
        const {bytesRead} = await handle.read(buffer, 0, buffer.length, this.#position);
        if (bytesRead === 0) return;
        this.#position += bytesRead;
        this.#take(this.#decoder.write(buffer.subarray(0, bytesRead)));
      }
    } finally {
      await handle.close();
    }
  }

  #take(text: string): void {
    const lines = (this.#open + text).split('\n');
    this.#open = lines.pop() ?? '';
    for (const line of lines) {
      const event = parseRunnerEvent(line);
      if (event) this.onEvent(event);
    }
  }
}
