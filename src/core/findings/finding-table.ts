import type {SummaryTable} from '../export/summary.js';
import {formatDuration} from '../format/duration.js';
import {nothingFound} from './findings-page.js';
import type {Finding} from './rules/finding.js';

const title = 'What slows it down';

/** Returns findings as a table: severity, title, gain. */
export function findingTable(findings: readonly Finding[]): SummaryTable {
  return tableOf(
    ['Severity', 'Finding', 'Gain at most'],
    findings.map(({severity, title: said, gainAtMostNs}) => [severity, said, gainText(gainAtMostNs)]),
  );
}

/** Returns the findings of two profiles, one row per rule: which are gone, new, and unchanged. */
export function comparedFindings(before: readonly Finding[], after: readonly Finding[]): SummaryTable {
  const rules = Array.from(new Set([...after, ...before].map(({rule}) => rule)));
  const rows = rules.map(rule => {
    const [old, now] = [before, after].map(findings => findings.find(one => one.rule === rule));
    const state = old && now ? 'stays' : now ? 'new' : 'gone';
    return [
      state,
      (now ?? old)?.title ?? rule,
      old ? `${old.severity}, ${gainText(old.gainAtMostNs)}` : '–',
      now ? `${now.severity}, ${gainText(now.gainAtMostNs)}` : '–',
    ];
  });
  return tableOf(['', 'Finding', 'Before, gain at most', 'After, gain at most'], rows);
}

const gainText = (ns: number | null): string => (ns === null ? '–' : formatDuration(ns));

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): SummaryTable {
  const none = columns.map((_, at) => (at === 1 ? nothingFound() : '–'));
  return {
    title,
    columns: columns.map((column, at) => ({title: column, isNumeric: at >= 2})),
    rows: rows.length > 0 ? rows : [none],
    length: Math.max(rows.length, 1),
  };
}
