import * as vscode from 'vscode';
import {scopeOfLines} from '../../core/text/line-fields.js';
import type {CompiledRegions} from '../../core/lines/compiled-regions.js';
import {lineRanks, type LineRanks} from '../../core/job/line-ranks.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {NamePattern} from '../../core/names/name-pattern.js';
import {linesNow} from '../../core/source/line-now.js';
import {isInSpans} from '../../core/source/compiled-code.js';
import {hasBlockChanged} from '../../core/source/block-change.js';
import type {LinesNow} from '../../core/source/recorded-lines.js';
import {otherLinesOf} from '../../core/lines/shared-names.js';
import type {SourceTag} from '../../core/source/source-tag.js';
import {namedTags, type NamedTag} from '../../core/source/tag-patterns.js';
import type {EngineClient} from '../../engine/client.js';
import type {Log} from '../base/log.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings, section} from '../base/settings.js';
import type {EarlierRun} from './earlier-run.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';
import type {DocumentTags} from './document-tags.js';
import {LineChecksums} from './line-checksums.js';
import type {Baseline, RecordedSources, Recording} from './recorded-sources.js';
import {RestTimer} from '../base/rest-timer.js';

/** The active profile's figures for one line of a document. */
export interface LineAnnotation {
  readonly tag: SourceTag;
  /** Patterns of the names in the line. */
  readonly patterns: readonly NamePattern[];
  readonly timing: LineTiming;
  /** The line's timing in the previous run of the script; null if there is none, or it is not read yet. */
  readonly before: LineTiming | null;
  /** Whether the line's block differs from the one that ran. False if unknown. */
  readonly isStale: boolean;
  /** What the block was compared with; null if nothing. */
  readonly comparedWith: Baseline['from'] | null;
  /** How many other lines have one of the names, and so share its figures. */
  readonly otherLines: number;
  /** For a line without ranges in code compiled by torch.compile: the figures of that code; else null. */
  readonly compiled: CompiledRegions | null;
  /**
   * The figures of its ranges over the ranks of the active job; null if the profile is not one of its ranks, or is
   * narrowed to a window.
   */
  readonly ranks: LineRanks | null;
}

interface Asked {
  readonly key: string;
  readonly timings: Promise<readonly LineTiming[]>;
  /** The timings of the previous run, once they are known. */
  before: readonly LineTiming[] | null;
}

/** Workspace files are read in batches: lines are updated once a batch is read. */
const indexRestMs = 500;

/** The active profile's figures for lines of documents, shared by CodeLens, decorations and hovers. */
export class Annotations implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.TextDocument | null>();
  /** Fires when a document's annotations changed for another reason than an edit; null means all documents. */
  readonly onDidChange = this.#changed.event;
  readonly #edited = new vscode.EventEmitter<vscode.TextDocument>();
  /** Fires when a document was edited: its annotations may have moved, or belong to the code before the edit. */
  readonly onDidEdit = this.#edited.event;
  readonly #checksums = new LineChecksums();
  readonly #asked = new WeakMap<vscode.TextDocument, Asked>();
  readonly #listeners: vscode.Disposable;
  #shownKey: number | null = null;
  readonly #rest = new RestTimer(indexRestMs);

  constructor(
    private readonly tags: DocumentTags,
    private readonly recorded: RecordedSources,
    private readonly files: Pick<RecordedFiles, 'pathOf' | 'onDidChange'>,
    private readonly earlier: EarlierRun,
    private readonly workspace: Pick<WorkspaceIndex, 'now' | 'onDidChange'>,
    private readonly store: ProfileStore,
    private readonly scopes: Pick<ProfileScopes, 'of' | 'onDidChange'>,
    private readonly engine: EngineClient,
    private readonly log: Log,
    private readonly jobs: Pick<JobStore, 'active' | 'rankOf' | 'onDidChange'>,
  ) {
    this.#listeners = vscode.Disposable.from(
      store.onDidChange(() => {
        const key = store.activeOpen?.key ?? null;
        if (key === this.#shownKey) return;
        this.#shownKey = key;
        this.#changed.fire(null);
      }),
      scopes.onDidChange(() => {
        this.#changed.fire(null);
      }),
      jobs.onDidChange(() => {
        if (store.activeOpen) this.#changed.fire(null);
      }),
      // Other files affect a line: they may share its name, or compile its code.
      workspace.onDidChange(() => {
        this.#changeSoon();
      }),
      files.onDidChange(() => {
        this.#changeSoon();
      }),
      // In a trusted workspace, git tells the recorded text of more documents.
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#changeSoon();
      }),
      tags.onDidMove(({document, contentChanges}) => {
        this.#checksums.edit(document, contentChanges);
        if (store.activeOpen) this.#edited.fire(document);
      }),
      tags.onDidChange(document => {
        if (store.activeOpen) this.#changed.fire(document);
      }),
      recorded.onDidLoad(uri => {
        const document = vscode.workspace.textDocuments.find(candidate => candidate.uri.toString() === uri);
        if (document) this.#changed.fire(document);
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(section)) this.#changed.fire(null);
      }),
    );
  }

  /** Returns the annotated lines whose name is known, in the order of the text. Empty without an open profile. */
  async of(document: vscode.TextDocument): Promise<readonly LineAnnotation[]> {
    const profile = this.store.activeOpen;
    // A text report has no ranges that a line could open.
    if (!profile || profile.state.summary.info.tables) return [];
    const {path} = document.uri;
    const {sidecar} = profile.state;
    const lines = await this.namedTags(document, profile);
    if (lines.length === 0) return [];
    try {
      const asked = this.#ask(document, profile, lines);
      const timings = await asked.timings;
      // Discards the answer if the profile is no longer shown.
      if (!this.#isShown(profile)) return [];
      const recorded = this.files.pathOf(document.uri, profile);
      const others = otherLinesOf(timings, path, recorded, sidecar, name => this.workspace.now.tagsFor(name));
      const compiledAt = await this.#compiled(document, profile, timings);
      return lines.flatMap((line, at) => {
        const timing = timings[at];
        const otherLines = others[at] ?? 0;
        const before = asked.before?.[at] ?? null;
        if (!timing) return [];
        const compiled = timing.nameCount === 0 ? compiledAt(line.tag.line) : null;
        const ranks = timing.nameCount === 0 ? null : this.#ranks(profile, line.patterns);
        return [{...line, timing, before, otherLines, compiled, ranks, ...this.#freshness(profile, document, line)}];
      });
    } catch (error) {
      this.log.warn(`No timings for ${path}: ${String(error)}`);
      return [];
    }
  }

  /** Returns the tags of a document with their names. Computed names come from what the profile's runner saw. */
  async namedTags(document: vscode.TextDocument, profile: OpenProfile): Promise<readonly NamedTag<SourceTag>[]> {
    const tags = await this.tags.of(document);
    const now = await this.#linesNow(document);
    return namedTags(tags, this.files.pathOf(document.uri, profile), profile.state.sidecar, now);
  }

  /**
   * Returns a map from a line of the recorded document to its line now, null if it was deleted. Returns null if the
   * recorded text is unknown, or not known yet.
   *
   * @param recorded knows the texts of one recording at a time: those of another need an object of their own
   */
  async recordedLinesNow(
    document: vscode.TextDocument,
    recording: Recording,
    recorded: Pick<RecordedSources, 'of'> = this.recorded,
  ): Promise<((line: number) => number | null) | null> {
    const now = await this.#linesNow(document);
    const baseline = recorded.of(recording, document);
    return baseline && linesNow(baseline.source.lineCrc32, now);
  }

  dispose(): void {
    this.#rest.dispose();
    this.#listeners.dispose();
    this.#changed.dispose();
    this.#edited.dispose();
  }

  #changeSoon(): void {
    this.#rest.whenStill(() => {
      if (this.store.activeOpen) this.#changed.fire(null);
    });
  }

  /** Returns the document's current lines by their checksums. */
  async #linesNow(document: vscode.TextDocument): Promise<LinesNow> {
    // Edits are reported only for documents whose tags are known.
    await this.tags.of(document);
    return {lineCount: document.lineCount, crcAt: line => this.#checksums.at(document, line)};
  }

  #isShown({key}: OpenProfile): boolean {
    return this.store.activeOpen?.key === key;
  }

  /** Returns the compiled regions by line, for lines in code passed to torch.compile whose tag did not run. */
  async #compiled(
    document: vscode.TextDocument,
    profile: OpenProfile,
    timings: readonly LineTiming[],
  ): Promise<(line: number) => CompiledRegions | null> {
    if (timings.every(({nameCount}) => nameCount > 0)) return () => null;
    const of = this.scopes.of(profile) ?? 'steps';
    const regions = await this.engine.ask('lines/compiled', {profile: profile.state.summary.id, of});
    if (!regions) return () => null;
    const spans = await this.tags.compiledLines(document, this.workspace.now.compiledNames);
    return line => (isInSpans(line, spans) ? regions : null);
  }

  #ranks(profile: OpenProfile, patterns: readonly NamePattern[]): LineRanks | null {
    const job = this.jobs.active;
    const isOfJob = job !== null && this.jobs.rankOf(profile.path) !== null && !this.scopes.of(profile);
    return isOfJob ? lineRanks(job.view, patterns) : null;
  }

  async #askEarlier(
    document: vscode.TextDocument,
    profile: OpenProfile,
    patterns: readonly (readonly NamePattern[])[],
    asked: Asked,
  ): Promise<void> {
    asked.before = await this.earlier.timings(profile, patterns);
    if (asked.before && this.#asked.get(document) === asked) this.#changed.fire(document);
  }

  #freshness(
    profile: OpenProfile,
    document: vscode.TextDocument,
    {tag, patterns}: Pick<LineAnnotation, 'tag' | 'patterns'>,
  ): Pick<LineAnnotation, 'isStale' | 'comparedWith'> {
    const baseline = this.recorded.of(profile, document);
    const crcAt = (line: number) => this.#checksums.at(document, line);
    const hasChanged = baseline && hasBlockChanged(baseline.source, patterns, tag, crcAt);
    return {isStale: hasChanged === true, comparedWith: hasChanged === null ? null : (baseline?.from ?? null)};
  }

  /** Asks about all lines of a document at once, and again only if the question changes. */
  #ask(
    document: vscode.TextDocument,
    profile: OpenProfile,
    lines: readonly {readonly patterns: readonly NamePattern[]}[],
  ): Asked {
    const {lineStyle, comparesRuns} = readSettings(document.uri);
    const of = scopeOfLines(lineStyle.per, this.scopes.of(profile));
    const patterns = lines.map(line => line.patterns);
    const key = JSON.stringify([profile.key, of, comparesRuns, patterns]);
    const known = this.#asked.get(document);
    if (known?.key === key) return known;
    const timings = this.engine.ask('lines/timings', {profile: profile.state.summary.id, patterns, of});
    const asked: Asked = {key, timings, before: null};
    this.#asked.set(document, asked);
    if (of === 'steps' && comparesRuns) void this.#askEarlier(document, profile, patterns, asked);
    timings.catch(() => {
      if (this.#asked.get(document) === asked) this.#asked.delete(document);
    });
    return asked;
  }
}
