import type {Standing} from './rank-standings.js';

/** The ranks of a job, and the one that is shown. */
export interface JobRanks {
  readonly shown: number;
  /** Ascending; `shown` is one of them. */
  readonly ranks: readonly number[];
  /** Distinct names of their files, in the same order. */
  readonly files: readonly string[];
  /** Their labels: "Rank 5 (slowest)". */
  readonly texts: readonly string[];
  /** The fastest, median and slowest ranks, in this order; empty if no job is open. */
  readonly standings: readonly {readonly standing: Standing; readonly rank: number}[];
}

/** The sections of a job’s page that show all ranks where a view shows one. */
export type JobSection = 'timeline' | 'parts' | 'ranges';

/** A choice in a rank selector: a rank, or all of them. */
interface RankChoice {
  readonly value: string;
  readonly text: string;
  readonly isDisabled?: boolean;
}

/** The labels of the choices, in the language of the editor. */
export interface RankWords {
  readonly all: Readonly<Record<JobSection, string>>;
  /** Says why all ranks cannot be shown. */
  readonly notAll: (why: string) => string;
  readonly standings: Readonly<Record<Standing, (rank: string) => string>>;
}

const all = 'all-ranks';

/**
 * Returns the choices of a rank selector: all ranks, the fastest, median and slowest, then each rank.
 *
 * @param section the section that shows all ranks in place of the view; else why the view can only show one
 */
export function rankChoices(
  {ranks, texts, standings}: JobRanks,
  section: JobSection | {why: string},
  words: RankWords,
): RankChoice[] {
  const whole =
    typeof section === 'string'
      ? {value: all, text: words.all[section]}
      : {value: all, text: words.notAll(section.why), isDisabled: true};
  return [
    whole,
    ...standings.map(({standing, rank}) => ({value: standing, text: words.standings[standing](String(rank))})),
    ...ranks.map((rank, at) => ({value: String(rank), text: texts[at]})),
  ];
}

/** Returns the rank of a choice, or null for all ranks. */
export function rankOfChoice({standings, shown}: JobRanks, value: string): number | null {
  if (value === all) return null;
  const standing = standings.find(one => one.standing === value);
  if (standing) return standing.rank;
  return /^\d+$/.test(value) ? Number(value) : shown;
}
