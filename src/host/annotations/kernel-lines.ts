import type * as vscode from 'vscode';
import type {KernelWorks} from '../../core/queries/kernel-works.js';
import {scopeOfLines} from '../../core/format/line-fields.js';
import type {LineTiming} from '../../core/queries/line-timings.js';
import type {TimingScope} from '../../core/queries/timing-scope.js';
import type {KernelSite} from '../../core/source/sidecar.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import type {EngineClient} from '../../engine/client.js';
import {LastAnswer} from '../last-answer.js';
import type {Log} from '../log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings} from '../settings.js';
import type {Annotations} from './annotations.js';
import {recordedPathOf, type Recorded} from '../source/recorded-files.js';
import {untaggedTiming, type UntaggedWork} from './untagged-timing.js';

/** A line that kernels of torch.compile come from. */
export interface KernelLine {
  readonly line: number;
  /** The kernels, most work first. */
  readonly kernels: readonly string[];
  /** Of these kernels, all of their work: what of it is this line's nobody knows. */
  readonly timing: LineTiming;
  /** How many other lines have a part in one of them. */
  readonly otherLines: number;
}

/** What a profile tells of lines that torch.compile made kernels of. */
export class KernelLines {
  /** The files of the profile that was looked at last: what is found of them is kept with this object. */
  #files: Recorded & {readonly sites: readonly KernelSite[]} = {sites: [], files: []};
  readonly #works = new LastAnswer<KernelWorks | null>();

  constructor(
    private readonly annotations: Pick<Annotations, 'recordedLinesNow'>,
    private readonly store: ProfileStore,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {}

  /** The lines of a document whose kernels have GPU work, from the top. */
  async of(document: vscode.TextDocument): Promise<readonly KernelLine[]> {
    const profile = this.store.activeOpen;
    if (!profile || profile.state.kernels.length === 0) return [];
    const kernelsOf = await this.#kernelsIn(document, profile);
    if (kernelsOf.size === 0) return [];
    const of = scopeOfLines(readSettings(document.uri).lineStyle.per, this.scopes.of(profile));
    const works = await this.#worksOf(profile, of);
    return works ? kernelLinesOf(kernelsOf, linesOfKernels(profile.state.kernels), works, of) : [];
  }

  /** Line → kernels that come from it. */
  async #kernelsIn(document: vscode.TextDocument, profile: OpenProfile): Promise<Map<number, Set<string>>> {
    const sites = profile.state.kernels;
    if (this.#files.sites !== sites) this.#files = {sites, files: []};
    const path = recordedPathOf(document.uri, {path: profile.path, state: {sidecar: this.#files}});
    const kernelsOf = new Map<number, Set<string>>();
    const own = sites.filter(({file}) => file === path);
    if (own.length === 0) return kernelsOf;
    const lineNow = await this.annotations.recordedLinesNow(document, profile);
    for (const {name, line: lineThen} of own) {
      const line = lineNow ? lineNow(lineThen) : lineThen;
      if (line !== null && line <= document.lineCount) getOrAdd(kernelsOf, line, () => new Set()).add(name);
    }
    return kernelsOf;
  }

  #worksOf({key: profileKey, state}: OpenProfile, of: TimingScope): Promise<KernelWorks | null> {
    const names = [...new Set(state.kernels.map(({name}) => name))];
    const ask = () => this.engine.ask('lines/kernels', {profile: state.summary.id, names, of});
    return this.#works.to(JSON.stringify([profileKey, of]), ask, error => {
      this.log.warn(`No work of compiled kernels: ${String(error)}`);
      return null;
    });
  }
}

/** Kernel → its lines, in whatever files. */
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
    // One call of the line runs each of them.
    count: Math.max(...kernels.map(({count}) => count)),
    cpuWallNs: sum('cpuWallNs'),
    gpuWorkNs: sum('gpuWorkNs'),
    backwardGpuWorkNs: 0,
    operations: sum('operations'),
    launches: sum('launches'),
  };
}

/** What stands above such a line, before its figures. */
export function kernelLineText({kernels, otherLines}: KernelLine, figures: string): string {
  const which = kernels.length === 1 ? 'compiled kernel' : `${String(kernels.length)} compiled kernels`;
  const shared =
    otherLines === 0 ? '' : ` · shared with ${otherLines === 1 ? '1 other line' : `${String(otherLines)} other lines`}`;
  return `${which} · ${figures}${shared}`;
}
