import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {applyReplacements} from '../../../src/core/source/replacement.js';
import {removeTag} from '../../../src/source/python-edits/remove-tag.js';
import {tagFunction} from '../../../src/source/python-edits/tag-function.js';
import {wrapSelection} from '../../../src/source/python-edits/wrap-selection.js';
import {parsePython} from '../../../src/source/python-tags.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
const asked = spawnSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'], {encoding: 'utf8'});
const library = asked.status === 0 ? asked.stdout.trim() : null;
if (library === null) console.warn(`Not tested against Python's own library: ${python} does not run.`);

/** About as many files are edited; the library has twenty times as many. */
const fileCount = 40;

/**
 * Takes pairs of a text and what an edit made of it, one JSON list a line. Prints for each "ok" where both are the same
 * program but for tags and their import, "invalid" where the text was none before, else what is wrong.
 */
const comparison = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")

def is_tag(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record_function"

class Untagged(ast.NodeTransformer):
    def visit_With(self, node):
        self.generic_visit(node)
        return node.body if len(node.items) == 1 and is_tag(node.items[0].context_expr) else node
    def visit_ImportFrom(self, node):
        return None if node.module == "torch.profiler" else node
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list = [one for one in node.decorator_list if not is_tag(one)]
        return node

def verdict(before, after):
    try:
        expected = ast.dump(ast.parse(before))
    except (SyntaxError, ValueError):
        return "invalid"
    try:
        tree = ast.parse(after)
    except SyntaxError as error:
        return f"does not parse: {error}"
    return "ok" if ast.dump(Untagged().visit(tree)) == expected else "is another program"

for line in sys.stdin:
    print(json.dumps(verdict(*json.loads(line))))
`;

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

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

describe.skipIf(library === null)('edits of the files of Python’s library', {timeout: 120_000}, () => {
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

  function expectSamePrograms(made: readonly [string, string][]): void {
    const input = made.map(pair => JSON.stringify(pair)).join('\n');
    const {stdout, stderr} = spawnSync(python, ['-c', comparison], {input, encoding: 'utf8', maxBuffer: 1 << 26});
    const verdicts = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as string);
    expect(stderr).toBe('');
    expect(verdicts).toHaveLength(made.length);
    const wrong = made.filter((_, at) => verdicts[at] !== 'ok' && verdicts[at] !== 'invalid');
    expect(wrong.map(([, after]) => after.slice(0, 2000))).toEqual([]);
    expect(verdicts.filter(verdict => verdict === 'ok').length).toBeGreaterThan(made.length / 2);
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
    expectSamePrograms(made);
  });

  it('tagFunction(…) gives the same program with a tag on the function', () => {
    const made = pairs(text => {
      const functions = [...text.matchAll(/^[ \t]*(?:async )?def \w+/gm)];
      const chosen = functions[Math.floor(random() * functions.length)];
      const edit = chosen && tagFunction(parsePython(text), chosen.index + chosen[0].length, 'record_function');
      return edit ? applyReplacements(text, edit.replacements) : null;
    });
    expect(made.length).toBeGreaterThan(texts.length / 2);
    expectSamePrograms(made);
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
