import {say} from '../../base/say.js';
import {greatest, least} from '../../table/extremes.js';
import {counted} from '../../format/count.js';
import {count, defineRule, percent, type Fact} from '../rules/rule.js';
import {factName, type PrintedRule} from './printed-rule.js';
import {tablesOf, type PrintedTable} from './printed-tables.js';

const about = {
  id: 'printed/mixed-precision',
  looksFor: 'Rows of a printed benchmark in which mixed precision is slower than full precision.',
  silentBelow: 'If no row loses 1 %. From a third of the rows: medium.',
};

/** Columns of one table with the same measurement with and without mixed precision. */
interface Pair {
  readonly table: PrintedTable;
  readonly what: string;
  readonly full: string;
  readonly mixed: string;
}

const full = /\b(no[ _]mixed[ _]precision|full[ _]precision|fp32|float32)\b/i;
const mixed = /\b(mixed[ _]precision|bf16|bfloat16|fp16|float16|half|amp)\b/i;

/** Finds mixed precision without a gain. */
export const mixedPrecision: PrintedRule = {
  ...about,
  ruleFor(tables) {
    const pairs = tablesOf(tables, 'benchmark').flatMap(pairsOf);
    return pairs.length === 0 ? null : ruleOf(pairs);
  },
};

function pairsOf(table: PrintedTable): Pair[] {
  const what = (title: string, pattern: RegExp) => title.replace(pattern, '').trim();
  return table.columns
    .filter(title => full.test(title))
    .flatMap(base => {
      const same = what(base, full);
      const other = table.columns.find(title => !full.test(title) && mixed.test(title) && what(title, mixed) === same);
      return other === undefined ? [] : [{table, what: same || base, full: base, mixed: other}];
    });
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const rows = ({table, full: base, mixed: other}: Pair): string =>
  `WITH points AS (SELECT max(CASE WHEN column_title = ${quoted(base)} THEN value END) AS base, max(CASE WHEN column_title = ${quoted(other)} THEN value END) AS mixed FROM printed WHERE table_id = ${String(table.id)} GROUP BY "row"), measured AS (SELECT 100.0 * (mixed - base) / base AS change FROM points WHERE base > 0 AND mixed > 0)`;

function ruleOf(pairs: readonly Pair[]) {
  const of = (name: string, pair: Pair) => factName(`${name} ${pair.what}`, pair.table);
  const facts: Record<string, Fact> = {};
  for (const pair of pairs) {
    facts[of('rows', pair)] = count(`${rows(pair)} SELECT count(*) FROM measured`);
    facts[of('slower', pair)] = count(`${rows(pair)} SELECT count(*) FROM measured WHERE change >= 1`);
    facts[of('least', pair)] = percent(`${rows(pair)} SELECT round(min(change), 1) FROM measured WHERE change >= 1`);
    facts[of('most', pair)] = percent(`${rows(pair)} SELECT round(max(change), 1) FROM measured WHERE change >= 1`);
  }
  return defineRule({
    ...about,
    facts,
    conclude(number) {
      const found = pairs.filter(pair => number(of('slower', pair)) > 0);
      if (found.length === 0) return null;
      const sum = (name: string) => found.reduce((all, pair) => all + number(of(name, pair)), 0);
      const lost = least(found.map(pair => number(of('least', pair))));
      const most = greatest(found.map(pair => number(of('most', pair))));
      return {
        severity: 3 * sum('slower') >= sum('rows') ? 'medium' : 'low',
        title: say(
          'Mixed precision does not help in {0} of {1}: they are {2} to {3} % slower than in full precision.',
          counted(sum('slower'), '{0} measurement', '{0} measurements'),
          String(sum('rows')),
          String(lost),
          String(most),
        ),
        evidence: found.flatMap((pair): (readonly [string, string])[] => [
          [of('slower', pair), say('{0}, {1}: rows where mixed precision is slower', pair.table.label, pair.what)],
          [of('rows', pair), say('{0}, {1}: rows with both', pair.table.label, pair.what)],
          [of('most', pair), say('{0}, {1}: the largest loss', pair.table.label, pair.what)],
          [of('least', pair), say('{0}, {1}: the smallest loss', pair.table.label, pair.what)],
        ]),
        gainAtMostNs: null,
        advice: say(
          'Small models are limited by launches, and autocast launches additional casts. Use autocast where products are large, keep weights in bf16 (model.to(torch.bfloat16)) instead of casting them each step, or fuse the casts with torch.compile(model).',
        ),
        link: 'https://docs.pytorch.org/docs/stable/amp.html',
      };
    },
  });
}
