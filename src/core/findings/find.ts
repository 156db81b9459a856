import {allRules} from './rules/all-rules.js';
import type {Evidence, EvidenceUnit, Finding} from './rules/finding.js';
import type {ProfileFindings} from './findings-page.js';
import {gpuWork} from './rules/idle-sql.js';
import type {FactValue, Rule} from './rules/rule.js';

/** Every query that the rules ask, once each. */
export function factQueries(rules: readonly Rule[] = allRules): string[] {
  return [...new Set(rules.flatMap(({facts}) => Object.values(facts).map(({sql}) => sql)))];
}

/**
 * What stands in the way in a profile.
 *
 * @param ask answers statements with one cell each
 * @throws whatever `ask` throws
 */
export async function findIn(
  ask: (statements: readonly string[]) => Promise<readonly (FactValue | bigint)[]>,
): Promise<ProfileFindings> {
  const queries = factQueries();
  const cells = await ask(queries);
  const answers = new Map(queries.map((sql, at) => [sql, plainCell(cells[at])]));
  return {findings: find(answers), hasGpuWork: answers.get(gpuWork) !== 0};
}

/** Sums beyond what a double holds come from impossible durations: they may be rounded. */
export const plainCell = (cell: FactValue | bigint | undefined): FactValue =>
  typeof cell === 'bigint' ? Number(cell) : (cell ?? null);

/**
 * What stands in the way in a profile, from the answers of `factQueries`.
 *
 * Findings that make the figures themselves doubtful come first, then those that can bring most.
 */
export function find(answers: ReadonlyMap<string, FactValue>, rules: readonly Rule[] = allRules): Finding[] {
  const found = rules.flatMap(rule => {
    const finding = findBy(rule, answers);
    return finding ? [{finding, doubts: rule.doubtsFigures}] : [];
  });
  return found
    .sort((a, b) => Number(b.doubts) - Number(a.doubts) || gain(b.finding) - gain(a.finding))
    .map(({finding}) => finding);
}

const gain = ({gainAtMostNs}: Finding): number => gainAtMostNs ?? 0;

function findBy(rule: Rule, answers: ReadonlyMap<string, FactValue>): Finding | null {
  const values = Object.fromEntries(
    Object.entries(rule.facts).map(([name, {sql}]) => [name, answers.get(sql) ?? null]),
  );
  const conclusion = rule.conclude(values);
  if (!conclusion) return null;
  const {evidence, link = null, file, line, startNs, ...said} = conclusion;
  return {
    rule: rule.id,
    ...said,
    evidence: evidence.flatMap(([name, text]) => evidenceOf(text, rule.facts[name], values[name])),
    link,
    file: typeof file === 'string' ? file : null,
    line: typeof line === 'number' ? line : null,
    startNs: typeof startNs === 'number' ? startNs : null,
  };
}

function evidenceOf(text: string, fact: Rule['facts'][string] | undefined, value: FactValue | undefined): Evidence[] {
  if (!fact || typeof value !== 'number') throw new RangeError(`No number stands behind “${text}”.`);
  return [{text, value, unit: fact.unit as EvidenceUnit, query: fact.sql}];
}
