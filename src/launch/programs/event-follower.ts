import {open} from 'node:fs/promises';
import {StringDecoder} from 'node:string_decoder';

const pollMs = 150;
const readBytes = 64 * 1024;
/** A longer line is not a message: without a limit, a file with no line feed could fill our memory. */
const longestLine = 1 << 20;

/**
 * Passes on the messages that a run's processes append to a file, one per line. Lines that `parse` rejects are skipped.
 *
 * The file is polled: it may be on a network share, which does not announce changes.
 */
export class EventFollower<Message> {
  #position: number;
  #open = '';
  readonly #decoder = new StringDecoder('utf8');
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    private readonly file: string,
    private readonly parse: (line: string) => Message | null,
    private readonly onMessage: (message: Message) => void,
    /** Called on the first read that fails. A share that is away for a while is read again once it is back. */
    private readonly onFailure: (error: unknown) => void = () => undefined,
    /** Earlier messages are skipped. */
    fromByte = 0,
  ) {
    this.#position = fromByte;
  }

  start(): void {
    this.#timer = setInterval(() => {
      void this.poll();
    }, pollMs);
  }

  /** Reads what has been appended, then stops. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.poll();
  }

  /** Reads what has been appended since; never rejects. Reads of one follower never overlap. */
  poll(): Promise<void> {
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.onFailure(error);
        this.#hasFailed = true;
      });
    return this.#reading;
  }

  async #read(): Promise<void> {
    // The file appears with the run's first message, and is gone if the run's folder is deleted.
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
    this.#open = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) {
      const message = this.parse(line);
      if (message !== null) this.onMessage(message);
    }
  }
}
