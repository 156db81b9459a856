import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {applyReplacements} from '../../../src/core/source/replacement.js';
import {removeTag} from '../../../src/source/python-edits/remove-tag.js';
import {tagFunction} from '../../../src/source/python-edits/tag-function.js';
import {wrapSelection} from '../../../src/source/python-edits/wrap-selection.js';
import {parsePython} from '../../../src/source/python-tags.js';
import {expectSamePrograms, seeded} from '../../support/same-programs.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
const asked = spawnSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {encoding: 'utf8'});
const library = asked.status === 0 ? asked.stdout.trim() : null;
if (library === null) console.warn(`Not tested against Python's own library: ${python} does not run.`);

/** About as many files are edited; the library has twenty times as many. */
const fileCount = 40;

function sources(folder: string): string[] {
  const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(path => path.endsWith('.py') && !/(^|[\\/])(test|tests|site-packages|idlelib)[\\/]/.test(path))
    .sort();
  const every = Math.max(1, Math.floor(paths.length / fileCount));
  return paths
    .filter((_, at) => at % every === 0)
    .map(path => readFileSync(join(folder, path), 'utf8').replace(/^\uFEFF/, ''))
    .filter(text => text.length > 0 && text.length < 200_000);
}

describe.skipIf(library === null)('edits of the files of Python’s library', () => {
  const texts = sources(library ?? '');
  const random = seeded(11);
  const place = (text: string) => Math.floor(random() * text.length);

  /** Pairs of the text before and after, of the edits that are offered. */
  function pairs(edit: (text: string) => string | null): [string, string][] {
    return texts.flatMap(text =>
      [0, 1].flatMap(() => {
        const after = edit(text);
        return after === null ? [] : [[text, after] as [string, string]];
      }),
    );
  }

  function wrapped(text: string): string | null {
    const from = place(text);
    const edit = wrapSelection(
      parsePython(text),
      from,
      Math.min(text.length, from + place(text.slice(0, 800))),
      'record_function',
    );
    return edit && applyReplacements(text, edit.replacements);
  }

  it('wrapSelection(…) gives the same program with a block around the statements', () => {
    const made = pairs(wrapped);
    expect(made.length).toBeGreaterThan(texts.length * 1.5);
    expectSamePrograms(python, made);
  });

  it('tagFunction(…) gives the same program with a tag on the function', () => {
    const made = pairs(text => {
      const functions = [...text.matchAll(/^[ \t]*(?:async )?def \w+/gm)];
      const chosen = functions[Math.floor(random() * functions.length)];
      const edit = chosen && tagFunction(parsePython(text), chosen.index + chosen[0].length, 'record_function');
      return edit ? applyReplacements(text, edit.replacements) : null;
    });
    expect(made.length).toBeGreaterThan(texts.length / 2);
    expectSamePrograms(python, made);
  });

  it('removeTag(…) takes back what wrapSelection(…) did', () => {
    let taken = 0;
    for (const [before, after] of pairs(wrapped)) {
      const header = after.indexOf('with record_function(');
      const edit = removeTag(parsePython(after), header);
      if (!edit) continue;
      taken++;
      const restored = applyReplacements(after, edit.replacements).replace(
        /from torch\.profiler import record_function\r?\n(\r?\n(?=#|"""))?/,
        '',
      );
      expect(restored.replace(/\s*\n/g, '\n').trim()).toBe(before.replace(/\s*\n/g, '\n').trim());
    }
    expect(taken).toBeGreaterThan(texts.length * 1.2);
  });
});
