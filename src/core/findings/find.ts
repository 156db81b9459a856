import {TraceError} from '../base/errors.js';
import {say} from '../base/say.js';
import {batched} from './batched-queries.js';
import {allRules} from './rules/all-rules.js';
import type {Evidence, EvidenceUnit, Finding} from './rules/finding.js';
import type {ProfileFindings} from './findings-page.js';
import {printedRules} from './printed/printed-rules.js';
import {printedTables, tableOutline} from './printed/printed-tables.js';
import {gpuWork} from './rules/idle-sql.js';
import type {FactValue, Rule} from './rules/rule.js';

/** A team's rule that runs longer is aborted, and the others continue. */
const ownRuleMs = 30_000;

/** Returns every query of the rules, once each. */
export function factQueries(rules: readonly Rule[] = allRules): string[] {
  return [...new Set(rules.flatMap(({facts}) => Object.values(facts).map(({sql}) => sql)))];
}

/**
 * Returns the findings of a profile.
 *
 * @param ask answers statements with one cell each
 * @param select limits a rule's statement to a part of the profile
 * @param own a team's own rules: a rule whose query fails is reported as a problem, and the others continue
 * @throws anything that `ask` throws
 */
export async function findIn(
  ask: (statements: readonly string[], limitMs?: number) => Promise<readonly (FactValue | bigint)[]>,
  own: readonly Rule[] = [],
  select: (statement: string) => string = statement => statement,
): Promise<ProfileFindings> {
  const answers = new Map<string, FactValue>();
  /** Runs queries on the selection, and stores the answers under the original queries. */
  const learn = async (queries: readonly string[], about: typeof select, limitMs?: number) => {
    const batch = batched(queries);
    const cells = await ask(batch.statements.map(about), limitMs);
    for (const [sql, value] of batch.answers(cells.map(plainCell))) answers.set(about(sql), value);
  };
  const asIs = (statement: string) => statement;
  await learn([...factQueries(), gpuWork], select);
  await learn([tableOutline], asIs);
  const tables = printedTables(answers.get(tableOutline) ?? null);
  const printed = printedRules.flatMap(rule => rule.ruleFor(tables) ?? []);
  if (printed.length > 0) await learn(factQueries(printed), asIs);
  const asked = [...allRules.map(rule => rewritten(rule, select)), ...printed];
  const problems: string[] = [];
  for (const rule of own) {
    try {
      await learn(factQueries([rule]), select, ownRuleMs);
      asked.push(rewritten(rule, select));
    } catch (error) {
      if (!isOfStatement(error)) throw error;
      problems.push(say('The rule {0} failed: {1}', rule.id, error.message));
    }
  }
  return {
    findings: find(answers, asked),
    hasGpuWork: answers.get(select(gpuWork)) !== 0 || tables.length > 0,
    notes: problems,
  };
}

/** Returns the rule with other statements. */
function rewritten(rule: Rule, rewrite: (statement: string) => string): Rule {
  const facts = Object.entries(rule.facts).map(([name, fact]) => [name, {...fact, sql: rewrite(fact.sql)}] as const);
  return {...rule, facts: Object.fromEntries(facts)};
}

/** Returns whether an error is the statement's fault rather than the profile's or the process's. */
const isOfStatement = (error: unknown): error is TraceError =>
  error instanceof TraceError && (error.code === 'sql/error' || error.code === 'sql/not-allowed');

/** Converts a cell. Sums beyond a double's precision come from impossible durations, so they may be rounded. */
export const plainCell = (cell: FactValue | bigint | undefined): FactValue =>
  typeof cell === 'bigint' ? Number(cell) : (cell ?? null);

/**
 * Returns the findings of a profile, from the answers of `factQueries`.
 *
 * Findings that put the figures themselves in doubt come first, then those with the largest possible gain.
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
  if (!fact || typeof value !== 'number') throw new RangeError(`No evidence value supports “${text}”.`);
  return [{text, value, unit: fact.unit as EvidenceUnit, query: fact.sql}];
}
