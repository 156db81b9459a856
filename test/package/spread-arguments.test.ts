import {join} from 'node:path';
import {Linter} from 'eslint';
import {describe, expect, it} from 'vitest';
import {project} from '../support/project.js';

const {default: config} = (await import(join(project, 'eslint.config.mjs'))) as {default: Linter.Config[]};

/** The part of the project's configuration that forbids arrays of any length as arguments. */
const entry = config.find(({rules}) => rules?.['no-restricted-syntax'] !== undefined);

const complaintsOf = (code: string): number =>
  new Linter().verify(code, [{rules: {'no-restricted-syntax': entry?.rules?.['no-restricted-syntax'] ?? 'off'}}])
    .length;

describe('the rule on arrays that become arguments', () => {
  it('holds for all that is shipped', () => {
    expect(entry?.files).toEqual(['src/**/*.ts', 'webview/**/*.ts']);
  });

  it.each([
    'Math.max(...rows)',
    'Math.min(0, ...rows.map(row => row.length))',
    'list.push(...rows)',
    'list.splice(0, 1, ...rows)',
    'String.fromCharCode(...bytes)',
    'Math.max.apply(null, rows)',
    'list.push.apply(list, rows)',
  ])('refuses %s', code => {
    expect(complaintsOf(code)).toBe(1);
  });

  it.each(['Math.max(a, b)', 'Math.max(...[a, b])', 'list.push({...row})', '[...rows]', 'f(...rows)'])(
    'lets %s pass',
    code => {
      expect(complaintsOf(code)).toBe(0);
    },
  );
});
