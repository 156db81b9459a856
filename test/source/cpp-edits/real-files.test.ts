import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Tree} from '@lezer/common';
import {describe, expect, it} from 'vitest';
import {applyReplacements, type Replacement} from '../../../src/core/source/replacement.js';
import {removeCppTag} from '../../../src/source/cpp-edits/remove-tag.js';
import {tagCppFunction} from '../../../src/source/cpp-edits/tag-function.js';
import {wrapStatements} from '../../../src/source/cpp-edits/wrap-statements.js';
import {cppTags, parseCpp} from '../../../src/source/cpp-tags.js';
import {project} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';

interface Source {
  readonly name: string;
  readonly text: string;
  readonly isC: boolean;
}

/** Every machine that runs the tests has the sources of better-sqlite3: its own C++, Node-API's, and SQLite's C. */
const sqlite = join(project, 'node_modules', 'better-sqlite3');

function cppSources(): Source[] {
  const own = readdirSync(join(sqlite, 'src'), {recursive: true, encoding: 'utf8'})
    .filter(path => /\.[ch]pp$/.test(path))
    .sort()
    .map(path => join(sqlite, 'src', path));
  const files = [...own, join(sqlite, 'node_modules', 'node-addon-api', 'napi-inl.h')];
  return files.map(name => ({name, text: readFileSync(name, 'utf8'), isC: false}));
}

/** SQLite comes as one file, in which marks tell where each of its own begins. */
function cSources(): Source[] {
  const whole = readFileSync(join(sqlite, 'deps', 'sqlite3', 'sqlite3.c'), 'utf8');
  return whole
    .split(/^\/\*+ Begin file /m)
    .slice(1)
    .map(text => ({name: /^\S+/.exec(text)?.[0] ?? '', text: text.slice(text.indexOf('\n') + 1), isC: true}))
    .filter(({name, text}) => name.endsWith('.c') && text.length > 10_000 && text.length < 60_000)
    .filter((_, at) => at % 2 === 0);
}

function errorsIn({tree}: {readonly tree: Tree}, from = 0, to = tree.length): number {
  let errors = 0;
  tree.iterate({from, to, enter: ({type}) => void (errors += type.isError ? 1 : 0)});
  return errors;
}

/** Whether the parser understood what stands around a place at the top of a text: macros may be no C to it. */
function isUnderstood(parsed: {readonly tree: Tree}, offset: number): boolean {
  const around = parsed.tree.topNode.childAfter(offset);
  return around !== null && errorsIn(parsed, around.from, around.to) === 0;
}

const withoutInclude = (text: string) => text.replace(/#include <nvtx3\/nv\w+\.h(?:pp)?>\r?\n/, '');

interface Made {
  readonly source: Source;
  readonly after: string;
  /** Where the tag goes in the source. */
  readonly place: number;
  /** Where the tag was put, in `after`. */
  readonly offset: number;
}

/** What an edit makes of a source, and where its tag stands: edits before it move it. */
function made(source: Source, replacements: readonly Replacement[], marker: RegExp): Made {
  const after = applyReplacements(source.text, replacements);
  const tag = replacements.find(({text}) => marker.test(text));
  if (!tag) throw new Error('The edit puts no tag.');
  const before = replacements.filter(({from}) => from < tag.from).reduce((sum, one) => sum + one.text.length, 0);
  return {source, after, place: tag.from, offset: tag.from + before + tag.text.search(marker)};
}

const random = seededRandom(7);
const anywhere = (text: string) => Math.floor(random() * text.length);

/** Edits of selections that lie anywhere; where nothing can be wrapped, none. */
function wrapped(sources: readonly Source[], rounds: number): Made[] {
  return sources.flatMap(source =>
    Array.from({length: rounds}, () => {
      const from = anywhere(source.text);
      const to = Math.min(source.text.length, from + 1 + anywhere(source.text.slice(0, 600)));
      const edit = wrapStatements(parseCpp(source.text), from, to, source.isC);
      return edit && made(source, edit.replacements, /nvtxRangePushA|nvtx3::scoped_range/);
    }).filter(one => one !== null),
  );
}

function tagged(source: Source): Made | null {
  const heads = [...source.text.matchAll(/^[ \t]*[\w:<>*&~ \t]+\([^;{}()]*\)[^;{}()]*\{/gm)];
  const head = heads[Math.floor(random() * heads.length)];
  const edit = head && tagCppFunction(parseCpp(source.text), head.index + head[0].indexOf('('));
  return edit ? made(source, edit.replacements, /NVTX3_FUNC_RANGE/) : null;
}

/** There are no more errors than before where there were none, the tag is found, and can be taken back where it has its line to itself. */
function check(all: readonly Made[]): void {
  const errors = new Map<Source, number>();
  let understood = 0;
  for (const {source, after, place, offset} of all) {
    const before = errors.get(source) ?? errorsIn(parseCpp(source.text));
    errors.set(source, before);
    const parsed = parseCpp(after);
    if (isUnderstood(parseCpp(source.text), place)) {
      understood++;
      expect(errorsIn(parsed), source.name).toBeLessThanOrEqual(before);
    }
    const offsets = cppTags(parsed).map(tag => tag.offset);
    expect(offsets, source.name).toContain(offset);
    const removal = removeCppTag(parsed, offset);
    const isAlone = /\n[ \t]*$/.test(after.slice(0, offset));
    expect(removal && withoutInclude(applyReplacements(after, removal.replacements)), source.name).toBe(
      isAlone ? withoutInclude(source.text) : null,
    );
  }
  expect(understood).toBeGreaterThan(all.length / 3);
}

describe('edits of real files', () => {
  it('wrapStatements(…) adds a tag and no error, and removeCppTag(…) takes it back, in C++', () => {
    const sources = cppSources();
    const all = wrapped(sources, 8);
    expect(all.length).toBeGreaterThan(sources.length);
    check(all);
  });

  it('wrapStatements(…) and removeCppTag(…) do so in C', () => {
    const sources = cSources();
    const all = wrapped(sources, 8);
    expect(all.length).toBeGreaterThan(sources.length / 2);
    check(all);
  });

  it('tagCppFunction(…) and removeCppTag(…) do so', () => {
    const sources = cppSources();
    const all = sources.flatMap(source => [tagged(source), tagged(source)]).filter(one => one !== null);
    expect(all.length).toBeGreaterThan(sources.length / 2);
    check(all);
  });
});
