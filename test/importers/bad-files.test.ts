import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {gzipSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {afterEach, describe, expect, it} from 'vitest';
import {TraceError} from '../../src/core/base/errors.js';
import {setWords} from '../../src/core/base/say.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {zipOf} from '../support/make-zip.js';
import {temporaryFolder} from '../support/project.js';
import {outsideOfWords, pseudoWords} from '../support/translations.js';

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const sqliteHead = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096, 7)]);

function database(name: string, sql: string): string {
  const path = join(folder, name);
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

/** What goes wrong, its code and its sentence. */
const cases: readonly (readonly [what: string, path: () => string, code: string, sentence: string])[] = [
  ['a missing file', () => join(folder, 'none.json'), 'file/missing', 'none.json does not exist.'],
  ['a file under a file', () => join(file('plain.json', '{}'), 'x.json'), 'file/missing', 'x.json does not exist.'],
  [
    'a folder',
    () => (mkdirSync(join(folder, 'a folder')), join(folder, 'a folder')),
    'file/directory',
    'a folder is a folder, not a profile.',
  ],
  ['an empty file', () => file('empty.json', ''), 'file/empty', 'empty.json is empty.'],
  [
    'a PNG called .sqlite',
    () => file('picture.sqlite', png),
    'import/unknown-format',
    'GPU Lens cannot open picture.sqlite. It opens Nsight Systems exports, texts with tables that nsys stats or PyTorch printed, rocprofv3 profiles and PyTorch profiler traces.',
  ],
  [
    'raw events of nsys',
    () => file('my run.qdstrm', 'raw'),
    'import/nsys-report',
    'my run.qdstrm contains raw events of Nsight Systems. On a machine with Nsight Systems, run QdstrmImporter -i "my run.qdstrm" and open the .nsys-rep file that it writes.',
  ],
  [
    'a text',
    () => file('text.json', 'hello'),
    'import/unknown-format',
    'GPU Lens cannot open text.json. It opens Nsight Systems exports, texts with tables that nsys stats or PyTorch printed, rocprofv3 profiles and PyTorch profiler traces.',
  ],
  [
    'a trace without events',
    () => file('quiet.json', '{"schemaVersion": 1, "traceEvents": [], "displayTimeUnit": "ms"}'),
    'import/no-events',
    'quiet.json is a trace without events. Nothing ran while the profiler recorded.',
  ],
  [
    'a zip without entries',
    () => file('empty.zip', zipOf([])),
    'import/unknown-format',
    'empty.zip is a zip file. Unpack it and open a profile from it. gpu-lens info lists the profiles in a zip file, and gpu-lens job reads them as ranks.',
  ],
  [
    'a zip',
    () => file('ranks.zip', zipOf([{name: 'a.json', data: Buffer.from('{}')}])),
    'import/unknown-format',
    'ranks.zip is a zip file. Unpack it and open a profile from it. gpu-lens info lists the profiles in a zip file, and gpu-lens job reads them as ranks.',
  ],
  [
    'JSON of another kind',
    () => file('package.json', '{"name": "x", "list": [{"a": 1}]}'),
    'import/not-a-trace',
    'package.json is JSON, but not a profiler trace: it has no traceEvents.',
  ],
  [
    'a trace without slices',
    () => file('meta.json', '{"traceEvents": [{"ph": "M", "name": "process_name"}]}'),
    'import/no-events',
    'meta.json is a Chrome trace without any slices.',
  ],
  [
    'a trace cut off at once',
    () => file('cut.json', '{"traceEvents": [{"ph": "X", "na'),
    'import/damaged',
    'cut.json is cut off or damaged before its first event.',
  ],
  [
    'gzip that is damaged at once',
    () => file('bad.json.gz', Buffer.concat([gzipSync('x').subarray(0, 10), Buffer.alloc(50, 0xff)])),
    'import/damaged',
    'bad.json.gz is damaged: nothing in it can be decompressed.',
  ],
  [
    'a database of another kind',
    () => database('other.sqlite', 'create table people (name text)'),
    'import/not-nsys',
    'other.sqlite is an SQLite database, but not an Nsight Systems export.',
  ],
  [
    'views under the names of nsys',
    () => database('views.sqlite', 'create view StringIds as select 1 id, 2 value'),
    'import/not-nsys',
    'views.sqlite is an SQLite database, but not an Nsight Systems export.',
  ],
  [
    'an nsys export without events',
    () => database('bare.sqlite', 'create table StringIds (id integer, value text)'),
    'import/no-events',
    'bare.sqlite is an Nsight Systems export without any events that can be shown.',
  ],
  [
    'a database whose list of tables is cut off',
    () => {
      // The list of 200 tables needs pages of its own.
      const tables = Array.from({length: 200}, (_, at) => `create table t${String(at)} (first, second, third);`);
      const path = database('cut.sqlite', tables.join(''));
      writeFileSync(path, readFileSync(path).subarray(0, 4096));
      return path;
    },
    'import/damaged',
    expect.stringMatching(
      /^cut\.sqlite is cut off: [\d,]+ bytes are missing, and with them the list of tables\. Copy the file again, or export the report again\.$/,
    ) as string,
  ],
  [
    'a damaged database',
    () => file('damaged.sqlite', sqliteHead),
    'import/damaged',
    'damaged.sqlite is not a readable SQLite database.',
  ],
  [
    'an nsys report',
    () => file('r.nsys-rep', 'NVIDIA Tegra Profiler Report 2024@6@2@225-246\0'),
    'import/nsys-report',
    'r.nsys-rep is an Nsight Systems 2024.6.2 report, which only nsys can read. Run nsys export --type sqlite "r.nsys-rep" with that version or a later one, and open the .sqlite file.',
  ],
];

afterEach(() => {
  setWords(undefined);
});

/** Returns what opening a file fails with. */
const failureOf = (path: string): Promise<unknown> =>
  openTrace(path).then(
    () => null,
    (reason: unknown) => reason,
  );

describe('openTrace(path) answers with one sentence, which is translated in the editor', () => {
  it.each(cases)('for %s', async (_what, make, code, sentence) => {
    const path = make();
    const error = await failureOf(path);
    expect(error).toBeInstanceOf(TraceError);
    expect(error).toMatchObject({code, message: sentence});

    setWords(pseudoWords);
    const said = await failureOf(path);
    const untranslated = outsideOfWords([said instanceof TraceError ? said.message : 'no sentence']);
    expect(untranslated.filter(text => !text.includes(basename(path)))).toEqual([]);
  });
});
