import {say} from '../../base/say.js';
import {count, defineRule, ns, text, type Fact, type Rule} from '../rules/rule.js';

/** An expert rule of nsys as a finding: it counts every row that nsys would print. Its texts are templates. */
export interface NsysRule {
  /** nsys’s name of the rule. */
  readonly name: string;
  readonly looksFor: string;
  readonly silentBelow: string;
  /** SQL with a row for each row that nsys lists: `ns` and `start_ns`. */
  readonly rows: string;
  /** Common table expressions that it needs. */
  readonly tables?: string;
  /** What the rows are: "Gaps of more than 500 ms". */
  readonly says: string;
  /** Returns the title, from the number of rows and their time. */
  readonly title: (rows: number, timeNs: number) => string;
  readonly advice: string;
  readonly more?: Readonly<Record<string, readonly [Fact, string]>>;
}

const link = 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html';

/** Returns a rule `nsys/<name>` of low severity: nsys defines no share from which it matters. */
export function nsysRule({name, looksFor, silentBelow, rows, tables, says, title, advice, more = {}}: NsysRule): Rule {
  const head = `WITH RECURSIVE ${tables === undefined ? '' : `${tables}, `}listed AS (${rows})`;
  const others = Object.entries(more);
  const facts: Record<string, Fact> = {
    rows: count(`${head} SELECT count(*) FROM listed`),
    time: ns(`${head} SELECT CAST(coalesce(sum(ns), 0) AS INTEGER) FROM listed`),
    longest: ns(`${head} SELECT CAST(coalesce(max(ns), 0) AS INTEGER) FROM listed`),
    start: text(`${head} SELECT start_ns FROM listed ORDER BY ns DESC, start_ns LIMIT 1`),
    ...Object.fromEntries(others.map(([key, [fact]]) => [key, {...fact, sql: `${head} ${fact.sql}`}])),
  };
  return defineRule({
    id: `nsys/${name}`,
    looksFor,
    silentBelow,
    facts,
    conclude(number, fact) {
      const listed = number('rows');
      if (listed === 0) return null;
      return {
        severity: 'low',
        title: title(listed, number('time')),
        evidence: [
          ['rows', say(says)],
          ['time', say('Total time')],
          ['longest', say('Longest')],
          ...others.map(([key, [, about]]) => [key, say(about)] as const),
        ],
        gainAtMostNs: null,
        advice: say(advice),
        link,
        startNs: fact('start'),
      };
    },
  });
}
