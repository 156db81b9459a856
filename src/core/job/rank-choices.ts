import type {Standing} from './rank-standings.js';

/** Ranks of one job, and which of them is shown. */
export interface JobRanks {
  readonly shown: number;
  /** Ascending; `shown` is one of them. */
  readonly ranks: readonly number[];
  /** What tells their files apart, in the same order. */
  readonly files: readonly string[];
  /** What they are called: "Rank 5 (slowest)". */
  readonly texts: readonly string[];
  /** Which of them are the fastest, in the middle and the slowest, in this order; empty where no job is open. */
  readonly standings: readonly {readonly standing: Standing; readonly rank: number}[];
}

/** The parts of a job’s page that show all ranks where a view shows one. */
export type JobSection = 'timeline' | 'parts' | 'ranges';

/** What can be chosen in a view: a rank, or all of them. */
interface RankChoice {
  readonly value: string;
  readonly text: string;
  readonly isDisabled?: boolean;
}

/** What the choices are called, in the language of the editor. */
export interface RankWords {
  readonly all: Readonly<Record<JobSection, string>>;
  /** Why all ranks cannot be shown. */
  readonly notAll: (why: string) => string;
  readonly standings: Readonly<Record<Standing, (rank: string) => string>>;
}

const all = 'all-ranks';

/**
 * Returns what the selector of ranks offers: all of them, those that take least, the median and most, then each.
 *
 * @param section where all ranks are shown in the place of the view; else why the view can only be of one
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

/** Returns what a choice stands for: a rank, or null for all of them. */
export function rankOfChoice({standings, shown}: JobRanks, value: string): number | null {
  if (value === all) return null;
  const standing = standings.find(one => one.standing === value);
  if (standing) return standing.rank;
  return /^\d+$/.test(value) ? Number(value) : shown;
}
