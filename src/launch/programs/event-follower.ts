import {open} from 'node:fs/promises';
import {StringDecoder} from 'node:string_decoder';

const pollMs = 150;
const readBytes = 64 * 1024;
/** A longer line is no message: nobody may fill our memory by writing no line feed. */
const longestLine = 1 << 20;

/**
 * Hands over the messages of a run as its processes append them to a file, one a line; lines that `parse` makes nothing
 * of are passed over.
 *
 * The file is polled: it may lie on a network share, where changes are not announced.
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
    /** Told of the first read that fails: a share that is away for a while is read again when it is back. */
    private readonly onFailure: (error: unknown) => void = () => undefined,
    /** What was said before is passed over. */
    fromByte = 0,
  ) {
    this.#position = fromByte;
  }

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
    // The file comes with the run's first message, and may be gone when the run's folder is cleaned away.
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
