import {plural} from '../format/count.js';
import type {TraceNote} from '../trace/trace.js';

/** A line that the runner saw open a range. */
export interface TagSite {
  readonly name: string;
  /** Path as the runner wrote it: relative to the workspace where it lies inside, else absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly count: number;
}

/** What the runner writes beside a trace: where its ranges were opened, and what of the script was recorded. */
export interface Sidecar {
  readonly sites: readonly TagSite[];
  /** "steps": optimizer steps after a warm-up; "opening": the script from its first range or module call on. */
  readonly kind: string;
  /** Why recording ended: "complete", or how the process ended before. */
  readonly why: string;
  /** Steps recorded whole. */
  readonly steps: number;
}

/** The sidecar's path for a trace's path: `run.pt.trace.json.gz` has `run.meta.json` beside it. */
export function sidecarPath(tracePath: string): string {
  return `${tracePath.replace(/(\.pt)?(\.trace)?\.json(\.gz|\.zst)?$/i, '')}.meta.json`;
}

/** The sidecar in a JSON text; entries that are not of its form are left out. Null where it is no sidecar at all. */
export function parseSidecar(text: string): Sidecar | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const {sites, kind, why, steps} = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  if (!Array.isArray(sites)) return null;
  return {
    sites: sites.filter(isTagSite),
    kind: typeof kind === 'string' ? kind : '',
    why: typeof why === 'string' ? why : '',
    steps: Number.isSafeInteger(steps) ? (steps as number) : 0,
  };
}

/** What a reader of the profile must know of how it was recorded. */
export function sidecarNotes({kind, why, steps}: Sidecar): TraceNote[] {
  if (kind === 'opening') {
    const text =
      'Recorded: the opening of the script, from its first range or module call on. It took too few optimizer steps to record steps after a warm-up.';
    return [{code: 'run/opening', text}];
  }
  if (kind !== 'steps' || why === 'complete') return [];
  return [
    {
      code: 'run/partial',
      text: `The script ended while steps were being recorded: ${plural(steps, 'whole step')} of them.`,
    },
  ];
}

function isTagSite(value: unknown): value is TagSite {
  const site = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof TagSite, unknown>>;
  return (
    typeof site.name === 'string' &&
    typeof site.file === 'string' &&
    Number.isSafeInteger(site.line) &&
    Number.isSafeInteger(site.count)
  );
}
