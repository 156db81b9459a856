import * as vscode from 'vscode';
import {counted} from '../../core/format/count.js';
import {lineTimingText, type LineStyle} from '../../core/text/line-timing.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {CompiledCall} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import {LineAnswer, type LineServices} from './line-answer.js';

/** A line that called code compiled by torch.compile, tagged or not. */
export interface CompiledCallLine {
  /** From 1. */
  readonly line: number;
  /** The regions that were compiled for the call. */
  readonly names: readonly string[];
  readonly timing: LineTiming;
}

/** Lines that called compiled regions, as the runner saw them when they were compiled. */
export class CompiledCalls {
  readonly #answers: LineAnswer<readonly LineTiming[]>;

  constructor(private readonly services: LineServices) {
    this.#answers = new LineAnswer<readonly LineTiming[]>(services, 'figures of compiled regions', []);
  }

  /** Returns the lines of a document that called regions in the active profile, at their current place. */
  async of(document: vscode.TextDocument): Promise<readonly CompiledCallLine[]> {
    const {annotations, files, store} = this.services;
    const profile = store.activeOpen;
    const calls = profile?.state.sidecar?.compiledCalls ?? [];
    if (!profile || calls.length === 0) return [];
    const recorded = files.pathIn(calls, document.uri, profile);
    const own = calls.filter(({file}) => file === recorded);
    if (own.length === 0) return [];
    const regions = byLine(own);
    const timings = await this.#timings(profile, document, [...regions.values()]);
    const lineNow = await annotations.recordedLinesNow(document, profile);
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
    const of = this.#answers.scopeFor(document, profile);
    const ask = () => this.services.engine.ask('lines/compiled-calls', {profile: profile.state.summary.id, calls, of});
    return this.#answers.to(profile, of, ask, calls);
  }
}

/** Line → its regions. */
function byLine(calls: readonly CompiledCall[]): Map<number, string[]> {
  const regions = new Map<number, string[]>();
  for (const {line, name} of calls) getOrAdd(regions, line, () => []).push(name);
  return regions;
}

/** Returns the text above such a line. */
export function compiledCallText({timing}: CompiledCallLine, style: LineStyle): string {
  const what =
    timing.nameCount === 1
      ? vscode.l10n.t('compiled region')
      : counted(timing.nameCount, '{0} compiled region', '{0} compiled regions');
  return `${what} · ${lineTimingText(timing, style)}`;
}

/** Returns the tooltip that explains its figures. @see docs/metrics.md#compiled */
export function compiledCallTooltip({names}: CompiledCallLine): string {
  return vscode.l10n.t(
    'What torch.compile made for this call ({0}), and what that calls, from its start to its end; × counts regions. A region that several lines call stands where it was compiled.',
    names.join(', '),
  );
}
