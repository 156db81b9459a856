import type * as vscode from 'vscode';
import {plural} from '../../core/format/count.js';
import {scopeOfLines} from '../../core/format/line-fields.js';
import {lineTimingText, type LineStyle} from '../../core/format/line-timing.js';
import type {LineTiming} from '../../core/queries/line-timings.js';
import type {CompiledCall} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {EngineClient} from '../../engine/client.js';
import {LastAnswer} from '../last-answer.js';
import type {Log} from '../log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings} from '../settings.js';
import {recordedPathOf} from '../source/recorded-files.js';
import type {Annotations} from './annotations.js';

/** A line that called what torch.compile made, tagged or not. */
export interface CompiledCallLine {
  /** From 1. */
  readonly line: number;
  /** The regions that were compiled for the call. */
  readonly names: readonly string[];
  readonly timing: LineTiming;
}

/** Where compiled regions were called, by what the runner saw when they were compiled. */
export class CompiledCalls {
  readonly #answers = new LastAnswer<readonly LineTiming[]>();

  constructor(
    private readonly annotations: Pick<Annotations, 'recordedLinesNow'>,
    private readonly store: Pick<ProfileStore, 'activeOpen'>,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
    private readonly engine: Pick<EngineClient, 'ask'>,
    private readonly log: Pick<Log, 'warn'>,
  ) {}

  /** The lines of a document that called regions which are in the active profile, wherever they stand now. */
  async of(document: vscode.TextDocument): Promise<readonly CompiledCallLine[]> {
    const profile = this.store.activeOpen;
    const calls = profile?.state.sidecar?.compiledCalls ?? [];
    if (!profile || calls.length === 0) return [];
    const recorded = recordedPathOf(document.uri, profile);
    const own = calls.filter(({file}) => file === recorded);
    if (own.length === 0) return [];
    const regions = byLine(own);
    const timings = await this.#timings(profile, document, [...regions.values()]);
    const lineNow = await this.annotations.recordedLinesNow(document, profile);
    return [...regions].flatMap(([lineThen, names], at) => {
      const line = lineNow ? lineNow(lineThen) : lineThen;
      const timing = timings[at];
      return line === null || line > document.lineCount || !timing || timing.nameCount === 0
        ? []
        : [{line, names, timing}];
    });
  }

  #timings(
    profile: OpenProfile,
    document: vscode.TextDocument,
    calls: readonly (readonly string[])[],
  ): Promise<readonly LineTiming[]> {
    const of = scopeOfLines(readSettings(document.uri).lineStyle.per, this.scopes.of(profile));
    const ask = () => this.engine.ask('lines/compiled-calls', {profile: profile.state.summary.id, calls, of});
    return this.#answers.to(JSON.stringify([profile.key, of, calls]), ask, error => {
      this.log.warn(`No figures of compiled regions: ${String(error)}`);
      return [];
    });
  }
}

/** Line → its regions. */
function byLine(calls: readonly CompiledCall[]): Map<number, string[]> {
  const regions = new Map<number, string[]>();
  for (const {line, name} of calls) getOrAdd(regions, line, () => []).push(name);
  return regions;
}

/** What stands above such a line. */
export function compiledCallText({timing}: CompiledCallLine, style: LineStyle): string {
  const what = timing.nameCount === 1 ? 'compiled region' : plural(timing.nameCount, 'compiled region');
  return `${what} · ${lineTimingText(timing, style)}`;
}

/** What its figures mean. @see docs/metrics.md#compiled */
export function compiledCallTooltip({names}: CompiledCallLine): string {
  return `What torch.compile made for this call (${names.join(', ')}), and what that calls, from its start to its end; × counts regions. A region that several lines call stands where it was compiled.`;
}
