import {spawnSync} from 'node:child_process';
import {expect} from 'vitest';

/**
 * Takes pairs of a text and its edited version, one JSON list per line. For each prints "ok" if both are the same
 * program except for tags and their import, "invalid" if the text was not a program before, else what is wrong.
 */
const comparison = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")

def is_tag(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("record_function", "nvtx.range"))

class Untagged(ast.NodeTransformer):
    def visit_With(self, node):
        self.generic_visit(node)
        return node.body if len(node.items) == 1 and is_tag(node.items[0].context_expr) else node
    def visit_Import(self, node):
        return None if [one.name for one in node.names] == ["torch"] else node
    def visit_ImportFrom(self, node):
        return None if node.module == "torch.profiler" else node
    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list = [one for one in node.decorator_list if not is_tag(one)]
        return node
    visit_AsyncFunctionDef = visit_FunctionDef

def program(text):
    return ast.dump(Untagged().visit(ast.parse(text)))

def verdict(before, after):
    try:
        expected = program(before)
    except (SyntaxError, ValueError):
        return "invalid"
    try:
        return "ok" if program(after) == expected else "is another program"
    except SyntaxError as error:
        return f"does not parse: {error}"

for line in sys.stdin:
    print(json.dumps(verdict(*json.loads(line))))
`;

/** Expects, for each text and its edited version, that both are the same program, according to Python's own parser. */
export function expectSamePrograms(python: string, made: readonly (readonly [string, string])[]): void {
  const input = made.map(pair => JSON.stringify(pair)).join('\n');
  const {stdout, stderr} = spawnSync(python, ['-c', comparison], {input, encoding: 'utf8', maxBuffer: 1 << 26});
  const verdicts = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as string);
  expect(stderr).toBe('');
  expect(verdicts).toHaveLength(made.length);
  const wrong = made.flatMap(([, after], at) =>
    verdicts[at] === 'ok' || verdicts[at] === 'invalid' ? [] : [`${verdicts[at] ?? ''}: ${after.slice(0, 2000)}`],
  );
  expect(wrong).toEqual([]);
  expect(verdicts.filter(verdict => verdict === 'ok').length).toBeGreaterThan(made.length / 2);
}

/** Returns a generator of numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
