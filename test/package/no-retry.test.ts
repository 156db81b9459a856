import {join} from 'node:path';
import {ESLint, Linter} from 'eslint';
import {describe, expect, it} from 'vitest';
import {project} from '../support/project.js';

const eslint = new ESLint({cwd: project});

/** How often the rule that holds for a file complains of a text. */
async function complaints(file: string, code: string): Promise<number> {
  const config = (await eslint.calculateConfigForFile(join(project, file))) as Linter.Config;
  return new Linter().verify(code, [{rules: {'no-restricted-syntax': config.rules?.['no-restricted-syntax'] ?? 'off'}}])
    .length;
}

describe('the rule on second tries', () => {
  it.each(['test/launch/nsys.test.ts', 'test/e2e/files.e2e.ts', 'vitest.config.ts', 'test/e2e/vitest.config.ts'])(
    'holds in %s',
    async file => {
      expect(await complaints(file, 'it("a", {timeout: 1, retry: 2}, run)')).toBe(1);
      expect(await complaints(file, 'it("a", {"retry": {count: 2}}, run)')).toBe(1);
      expect(await complaints(file, 'it("a", {timeout: 1}, run)')).toBe(0);
    },
  );

  it('holds for the arguments that scripts run vitest with', async () => {
    expect(await complaints('scripts/test.mjs', 'run("vitest", ["--retry=2"])')).toBe(1);
    expect(await complaints('scripts/test.mjs', 'run("vitest", ["run"])')).toBe(0);
  });
});

it('the rule on waiting wants to hear how long: vi.waitFor gives up after a second', async () => {
  const file = 'test/launch/nsys.test.ts';
  expect(await complaints(file, 'await vi.waitFor(() => check())')).toBe(1);
  expect(await complaints(file, 'await vi.waitUntil(isThere, patience)')).toBe(0);
});
