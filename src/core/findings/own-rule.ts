import {TraceError} from '../base/errors.js';
import {evidenceText} from './findings-page.js';
import {severities, type EvidenceUnit, type Severity} from './rules/finding.js';
import {defineRule, text as textFact, type Fact, type Rule} from './rules/rule.js';

const units: readonly string[] = ['ns', 'count', 'bytes', 'percent', 'ratio'] satisfies readonly EvidenceUnit[];
const keys = ['title', 'advice', 'unit', 'evidence', 'severity', 'silent below', 'medium from', 'high from', 'link'];

/**
 * Returns a team's own rule: a query, and a description of its answer in comments before it. docs/findings.md describes
 * the file.
 *
 * @param name the file's name without its ending; the rule's id is `own/<name>`
 * @throws TraceError `sql/not-allowed` with the error in the file
 */
export function ownRule(name: string, text: string): Rule {
  const {fields, sql} = headAndQuery(text);
  const title = needed(fields, 'title');
  const advice = needed(fields, 'advice');
  const unit = unitOf(fields.get('unit') ?? 'count');
  const severity = severityFor(fields);
  const link = linkOf(fields.get('link'));
  const says = fields.get('evidence') ?? title.replaceAll('{value}', '…');
  return defineRule({
    id: `own/${name}`,
    looksFor: title,
    silentBelow: fields.get('silent below') ?? '',
    facts: {
      value: {sql: `SELECT value FROM (\n${sql}\n) LIMIT 1`, unit},
      gain: optional('gain_ns', sql),
      file: optional('file', sql),
      line: optional('line', sql),
      start: optional('start_ns', sql),
    },
    conclude(number, fact) {
      const value = number('value');
      const found = typeof fact('value') === 'number' ? severity(value) : null;
      if (!found) return null;
      return {
        severity: found,
        title: title.replaceAll('{value}', evidenceText({text: '', value, unit, query: ''})),
        evidence: [['value', says]],
        gainAtMostNs: typeof fact('gain') === 'number' ? number('gain') : null,
        advice,
        ...(link === null ? {} : {link}),
        file: fact('file'),
        line: fact('line'),
        startNs: fact('start'),
      };
    },
  });
}

/**
 * Returns a column that the query may lack: SQLite then resolves the name in the outer query, where it is NULL.
 * https://www.sqlite.org/lang_expr.html#subquery_expressions
 */
function optional(column: string, sql: string): Fact {
  return textFact(`SELECT (SELECT ${column} FROM (\n${sql}\n) LIMIT 1) AS value FROM (SELECT NULL AS ${column})`);
}

/** Splits a file into the comments at its beginning, `-- key: text`, and the rest. */
function headAndQuery(text: string): {fields: ReadonlyMap<string, string>; sql: string} {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const begins = lines.findIndex(line => line.trim() !== '' && !line.startsWith('--'));
  const fields = new Map<string, string>();
  for (const line of lines.slice(0, Math.max(begins, 0))) {
    const [, key = '', value = ''] = /^--\s*([a-z ]+?)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    if (keys.includes(key)) fields.set(key, value);
  }
  if (begins < 0) throw wrong('it contains no query');
  const sql = lines.slice(begins).join('\n').trim().replace(/;$/, '');
  return {fields, sql};
}

function severityFor(fields: ReadonlyMap<string, string>): (value: number) => Severity | null {
  const always = fields.get('severity') ?? 'low';
  if (!isSeverity(always)) throw wrong(`its severity is not one of ${severities.join(', ')}`);
  const least = numberOf(fields, 'silent below') ?? Number.MIN_VALUE;
  const medium = numberOf(fields, 'medium from') ?? Infinity;
  const high = numberOf(fields, 'high from') ?? Infinity;
  return value => {
    if (!(value >= least)) return null;
    if (value >= high) return 'high';
    return value >= medium ? 'medium' : always;
  };
}

function numberOf(fields: ReadonlyMap<string, string>, key: string): number | null {
  const text = fields.get(key);
  if (text === undefined) return null;
  const number = Number(text);
  if (!Number.isFinite(number)) throw wrong(`“${key}” is not a number`);
  return number;
}

function linkOf(link: string | undefined): string | null {
  if (link === undefined) return null;
  if (!/^https:\/\/[^\s()<>]+$/.test(link)) throw wrong('its link is not an https address');
  return link;
}

function needed(fields: ReadonlyMap<string, string>, key: string): string {
  const text = fields.get(key);
  if (text === undefined) throw wrong(`it has no line “-- ${key}: …”`);
  return text;
}

function unitOf(unit: string): EvidenceUnit {
  if (!units.includes(unit)) throw wrong(`its unit is not one of ${units.join(', ')}`);
  return unit as EvidenceUnit;
}

const isSeverity = (text: string): text is Severity => (severities as readonly string[]).includes(text);

const wrong = (what: string): TraceError => new TraceError('sql/not-allowed', what);
