import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {ByteWindow} from '../../../src/importers/kineto/byte-window.js';
import {EventScanner} from '../../../src/importers/kineto/event-scanner.js';
import {dataFiles} from '../../support/real-data.js';
import {project} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

const encoder = new TextEncoder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

/** What both ways of scanning make of the event at a position of a text: they must not differ. */
function compare(scanner: EventScanner, {bytes, end}: ByteWindow, position: number): {next: number; isSame: boolean} {
  const plain = {next: scanner.scan(bytes, position, end), event: JSON.stringify(scanner.event)};
  const lenient = {next: scanner.scanLeniently(bytes, position, end), event: JSON.stringify(scanner.event)};
  // What an unread or unfinished event leaves in the object is nobody's business.
  return {next: plain.next, isSame: plain.next === lenient.next && (plain.next < 0 || plain.event === lenient.event)};
}

function windowOf(text: string | Uint8Array): ByteWindow {
  const window = new ByteWindow();
  window.append(typeof text === 'string' ? encoder.encode(text) : text);
  return window;
}

describe('scan(bytes, position, end)', () => {
  const files = [{name: 'the sample', path: sample}, ...dataFiles('kineto', '.json.gz')];
  it.each(files)('reads $name as scanLeniently does', ({path}) => {
    const text = gunzipSync(readFileSync(path));
    const window = windowOf(text);
    const scanner = new EventScanner();
    let events = 0;
    for (let at = text.indexOf('"traceEvents"'); (at = text.indexOf('{', at)) >= 0;) {
      const {next, isSame} = compare(scanner, window, at);
      if (!isSame) expect(text.subarray(at, at + 500).toString()).toBe('read the same');
      if (next < 0) break;
      events++;
      at = next;
    }
    expect(events).toBeGreaterThan(1);
  });

  const event =
    '{"ph": "X", "cat": "kernel", "name": "gemm<4, \\"a\\">", "pid": 0, "tid": 7, "ts": 1712195495519689.053, "dur": 4.5, "id": 3, ' +
    '"args": {"External id": 12, "device": 0, "stream": 7, "correlation": 9, "bytes": 4096, "Sequence number": 5, "Fwd thread id": 1, ' +
    '"grid": [1, 2, [3]], "name": "python", "Ev Idx": 1.5e-7, "none": null, "blocks per SM": 0.25}}';

  it('reads damaged events as scanLeniently does', () => {
    const random = seededRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    const scanner = new EventScanner();
    const replacements = [
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '0',
      '-',
      '.',
      'e',
      ' ',
      '\n',
      '\u0000',
      'NaN',
      'é',
      '',
    ];
    for (let i = 0; i < 40_000; i++) {
      let text = event;
      for (let changes = below(4); changes >= 0; changes--) {
        const at = below(text.length);
        const replacement = replacements[below(replacements.length)] ?? '';
        text = text.slice(0, at) + replacement + text.slice(at + below(12));
      }
      const {isSame} = compare(scanner, windowOf(`${text},{"ph":"M"}`), 0);
      if (!isSame) expect(text).toBe('read the same');
    }
  });

  it('wants more wherever an event is cut off, whatever an earlier chunk left behind', () => {
    const scanner = new EventScanner();
    const bytes = encoder.encode(event);
    for (let length = 1; length < bytes.length; length++) {
      const window = new ByteWindow(1024);
      window.append(encoder.encode('"}]:,1"'.repeat(100)));
      window.position = window.end;
      window.append(bytes.subarray(0, length));
      expect(scanner.scan(window.bytes, 0, window.end)).toBe(-1);
    }
    expect(scanner.texts.length).toBeLessThan(8);
  });
});
