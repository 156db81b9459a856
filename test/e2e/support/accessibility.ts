import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import type {Frame} from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns all violations of axe-core's rules in a page: one line for each element, with the rule and the fault. A
 * page's own content policy applies to what it loads itself, not to what a test runs in it.
 */
export async function accessibilityViolations(frame: Frame): Promise<string[]> {
  if (!(await frame.evaluate('typeof axe === "object"'))) await frame.evaluate(source);
  const {violations} = await frame.evaluate<AxeResults>('axe.run(document, {resultTypes: ["violations"]})');
  return violations.flatMap(({id, nodes}) =>
    nodes.map(
      ({html, failureSummary}) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.replace(/\s+/g, ' ') ?? ''}`,
    ),
  );
}
