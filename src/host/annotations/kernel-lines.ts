import {greatest} from '../../core/table/extremes.js';
import * as vscode from 'vscode';
import type {KernelWorks} from '../../core/lines/kernel-works.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';
import type {KernelSite} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import {sharedText} from './annotation-text.js';
import {LineAnswer, type LineServices} from './line-answer.js';
import {untaggedTiming, type UntaggedWork} from './untagged-timing.js';

/** A source line of kernels made by torch.compile. */
export interface KernelLine {
  readonly line: number;
  /** The kernels, most work first. */
  readonly kernels: readonly string[];
  /** All work of these kernels: the line's own part is unknown. */
  readonly timing: LineTiming;
  /** How many other lines contribute to one of the kernels. */
  readonly otherLines: number;
}

/** The active profile's figures for source lines of compiled kernels. */
export class KernelLines {
  readonly #works: LineAnswer<KernelWorks | null>;

  constructor(private readonly services: LineServices) {
    this.#works = new LineAnswer(services, 'work of compiled kernels', null);
  }

  /** Returns the lines of a document whose kernels have GPU work, from the top. */
  async of(document: vscode.TextDocument): Promise<readonly KernelLine[]> {
    const profile = this.services.store.activeOpen;
    if (!profile || profile.state.kernels.length === 0) return [];
    const kernelsOf = await this.#kernelsIn(document, profile);
    if (kernelsOf.size === 0) return [];
    const of = this.#works.scopeFor(document, profile);
    const works = await this.#worksOf(profile, of);
    return works ? kernelLinesOf(kernelsOf, linesOfKernels(profile.state.kernels), works, of) : [];
  }

  /** Returns the kernels of each line. */
  async #kernelsIn(document: vscode.TextDocument, profile: OpenProfile): Promise<Map<number, Set<string>>> {
    const sites = profile.state.kernels;
    const path = this.services.files.pathIn(sites, document.uri, profile);
    const kernelsOf = new Map<number, Set<string>>();
    const own = sites.filter(({file}) => file === path);
    if (own.length === 0) return kernelsOf;
    const lineNow = await this.services.annotations.recordedLinesNow(document, profile);
    for (const {name, line: lineThen} of own) {
      const line = lineNow ? lineNow(lineThen) : lineThen;
      if (line !== null && line <= document.lineCount) getOrAdd(kernelsOf, line, () => new Set()).add(name);
    }
    return kernelsOf;
  }

  #worksOf(profile: OpenProfile, of: TimingScope): Promise<KernelWorks | null> {
    const {kernels, summary} = profile.state;
    const names = [...new Set(kernels.map(({name}) => name))];
    return this.#works.to(profile, of, () =>
      this.services.engine.ask('lines/kernels', {profile: summary.id, names, of}),
    );
  }
}

/** Returns the lines of each kernel, in all files. */
function linesOfKernels(sites: readonly KernelSite[]): ReadonlyMap<string, ReadonlySet<string>> {
  const lines = new Map<string, Set<string>>();
  for (const {name, file, line} of sites) getOrAdd(lines, name, () => new Set()).add(`${String(line)} ${file}`);
  return lines;
}

function kernelLinesOf(
  kernelsOf: ReadonlyMap<number, ReadonlySet<string>>,
  linesOf: ReadonlyMap<string, ReadonlySet<string>>,
  works: KernelWorks,
  of: TimingScope,
): KernelLine[] {
  const lines = [...kernelsOf].sort(([a], [b]) => a - b);
  return lines.flatMap(([line, names]) => {
    const kernels = works.kernels.filter(({name}) => names.has(name)).sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
    if (kernels.length === 0) return [];
    const shared = new Set(kernels.flatMap(({name}) => [...(linesOf.get(name) ?? [])]));
    const timing = untaggedTiming(workOf(kernels), works, of);
    return [{line, kernels: kernels.map(({name}) => name), timing, otherLines: shared.size - 1}];
  });
}

function workOf(kernels: KernelWorks['kernels']): UntaggedWork {
  const sum = (of: 'gpuWorkNs' | 'cpuWallNs' | 'operations' | 'launches') =>
    kernels.reduce((all, kernel) => all + kernel[of], 0);
  return {
    // One call of the line runs every one of its kernels.
    count: greatest(kernels.map(({count}) => count)),
    cpuWallNs: sum('cpuWallNs'),
    gpuWorkNs: sum('gpuWorkNs'),
    backwardGpuWorkNs: 0,
    operations: sum('operations'),
    launches: sum('launches'),
  };
}

/** Returns the text before the figures above such a line. */
export function kernelLineText({kernels, otherLines}: KernelLine, figures: string): string {
  const which =
    kernels.length === 1 ? vscode.l10n.t('compiled kernel') : vscode.l10n.t('{0} compiled kernels', kernels.length);
  return [which, figures, ...(otherLines === 0 ? [] : [sharedText(otherLines)])].join(' · ');
}
