import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {allRules} from '../../../src/core/findings/rules/all-rules.js';
import {nsysRules} from '../../../src/core/findings/nsys/nsys-rules.js';
import {printedRules} from '../../../src/core/findings/printed/printed-rules.js';
import {project} from '../../support/project.js';

it('docs/findings.md has every rule with what it looks for and its threshold', () => {
  const page = readFileSync(join(project, 'docs', 'findings.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w/-]+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(
    [...allRules, ...printedRules, ...nsysRules].map(({id, looksFor, silentBelow}) => [id, looksFor, silentBelow]),
  );
});
