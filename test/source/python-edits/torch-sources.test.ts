import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {applyReplacements} from '../../../src/core/source/replacement.js';
import {removeTag} from '../../../src/source/python-edits/remove-tag.js';
import {tagFunction} from '../../../src/source/python-edits/tag-function.js';
import {tagSubmodules} from '../../../src/source/python-edits/tag-modules.js';
import {wrapSelection} from '../../../src/source/python-edits/wrap-selection.js';
import {parsePython} from '../../../src/source/python-tags.js';
import {expectSamePrograms, seeded} from '../../support/same-programs.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
// It is found, not imported.
const find = 'import importlib.util; print(importlib.util.find_spec("torch").origin)';
const asked = spawnSync(python, ['-c', find], {encoding: 'utf8'});
const torch = asked.status === 0 ? dirname(asked.stdout.trim()) : null;
if (torch === null) console.warn(`Not tested against torch's own files: ${python} has no torch.`);

/** The modules, which have submodules in them, and some files that have tags of their own. */
function sources(folder: string): string[] {
  const modules = join(folder, 'nn', 'modules');
  const files = [
    ...readdirSync(modules)
      .filter(name => name.endsWith('.py'))
      .map(name => join(modules, name)),
    ...[
      'optim/optimizer.py',
      'optim/lr_scheduler.py',
      'cuda/nvtx.py',
      'autograd/profiler.py',
      'nn/parallel/distributed.py',
    ].map(name => join(folder, ...name.split('/'))),
  ];
  return files.map(path => readFileSync(path, 'utf8')).filter(text => text.length > 0);
}

describe.skipIf(torch === null)('edits of torch’s own files', () => {
  const texts = torch === null ? [] : sources(torch);
  const random = seeded(5);
  const place = (text: string) => Math.floor(random() * text.length);

  it('tagSubmodules(…) gives the same programs, with a tag on each forward', () => {
    const made = texts.flatMap(text => {
      const parsed = parsePython(text);
      return [...text.matchAll(/^class (\w+)/gm)].flatMap(({index}) => {
        const edit = tagSubmodules(parsed, index + 6, 'nvtx');
        return edit ? [[text, applyReplacements(text, edit.replacements)] as const] : [];
      });
    });
    expect(made.length).toBeGreaterThan(100);
    expectSamePrograms(python, made);
    // What is tagged has nothing left to tag.
    for (const [before, after] of made.slice(0, 20)) {
      const forward = /torch\.cuda\.nvtx\.range\(|nvtx\.range\(/g;
      expect([...after.matchAll(forward)].length).toBeGreaterThan([...before.matchAll(forward)].length);
    }
  });

  it.each(['nvtx', 'record_function'] as const)(
    'wrapSelection(…) and tagFunction(…) with %s give the same programs',
    kind => {
      const wrapped = texts.flatMap(text => {
        const from = place(text);
        const edit = wrapSelection(parsePython(text), from, Math.min(text.length, from + 400), kind);
        return edit ? [[text, applyReplacements(text, edit.replacements)] as const] : [];
      });
      const tagged = texts.flatMap(text => {
        const functions = [...text.matchAll(/^[ \t]*(?:async )?def \w+/gm)];
        const chosen = functions[Math.floor(random() * functions.length)];
        const edit = chosen && tagFunction(parsePython(text), chosen.index + chosen[0].length, kind);
        return edit ? [[text, applyReplacements(text, edit.replacements)] as const] : [];
      });
      expect(wrapped.length).toBeGreaterThan(texts.length / 2);
      expect(tagged.length).toBeGreaterThan(texts.length / 2);
      expectSamePrograms(python, [...wrapped, ...tagged]);
    },
  );

  it('removeTag(…) takes off tags of NVTX that wrapSelection(…) put there', () => {
    let taken = 0;
    for (const text of texts) {
      const from = place(text);
      const edit = wrapSelection(parsePython(text), from, Math.min(text.length, from + 200), 'nvtx');
      if (!edit) continue;
      const after = applyReplacements(text, edit.replacements);
      const put = edit.replacements.find(({text: made}) => /with .*range\(/.test(made));
      if (!put) continue;
      const header = after.indexOf(put.text.trim().split('\n')[0] ?? '', put.from);
      const removal = removeTag(parsePython(after), header);
      if (!removal) continue;
      taken++;
      // The import may stay, and blanks that stood at the ends of lines may go.
      const plain = (one: string) =>
        one
          .replace(/^import torch$/gm, '')
          .replace(/\s*\n/g, '\n')
          .trim();
      expect(plain(applyReplacements(after, removal.replacements))).toBe(plain(text));
    }
    expect(taken).toBeGreaterThan(texts.length / 3);
  });
});
