import type * as vscode from 'vscode';
import {scopeOfLines} from '../../core/format/line-fields.js';
import type {LineTiming} from '../../core/queries/line-timings.js';
import type {SourceLines} from '../../core/queries/source-lines.js';
import type {TimingScope} from '../../core/queries/timing-scope.js';
import {classesOfModules} from '../../core/source/module-forward.js';
import {placesOfSourceLines, type PlacedWork} from '../../core/source/source-line-places.js';
import type {EngineClient} from '../../engine/client.js';
import {createTagReader, languageOfId, type TagReader} from '../../source/tag-reader.js';
import {LastAnswer} from '../last-answer.js';
import type {Log} from '../log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings} from '../settings.js';
import type {Annotations} from './annotations.js';
import {untaggedTiming} from './untagged-timing.js';

/** Work on a line without a tag, with figures as of tags. */
export interface SourceLineWork extends Pick<PlacedWork, 'line' | 'about'> {
  readonly timing: LineTiming;
}

/** What a profile with Python stacks tells of functions and modules that have no tag. */
export class SourceLineWorks {
  readonly #lines = new LastAnswer<SourceLines | null>();
  readonly #readers = new WeakMap<vscode.TextDocument, TagReader>();

  constructor(
    private readonly annotations: Pick<Annotations, 'recordedLinesNow'>,
    private readonly store: ProfileStore,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {}

  /** The lines of a Python document that have such work, from the top. */
  async of(document: vscode.TextDocument): Promise<readonly SourceLineWork[]> {
    const profile = this.store.activeOpen;
    if (!profile || languageOfId(document.languageId) !== 'python') return [];
    const of = scopeOfLines(readSettings(document.uri).lineStyle.per, this.scopes.of(profile));
    const source = await this.#linesOf(profile, of);
    if (!source || source.lines.length + source.modules.length === 0) return [];
    const reader = this.#readers.get(document) ?? (await createTagReader('python'));
    this.#readers.set(document, reader);
    const file = {
      path: document.uri.path,
      lineCount: document.lineCount,
      lineAt: (line: number) => document.lineAt(line - 1).text,
      modules: source.modules.length > 0 ? reader.modules(document.getText()) : [],
      lineNow: await this.annotations.recordedLinesNow(document, profile),
    };
    return placesOfSourceLines(file, source, profile.state.sidecar?.modules).map(({line, about, work}) => ({
      line,
      about,
      timing: untaggedTiming(work, source, of),
    }));
  }

  #linesOf(profile: OpenProfile, of: TimingScope): Promise<SourceLines | null> {
    const {summary, sidecar} = profile.state;
    const classes = classesOfModules(sidecar?.modules ?? []);
    const ask = () => this.engine.ask('lines', {profile: summary.id, of, classes});
    return this.#lines.to(JSON.stringify([profile.key, of]), ask, error => {
      this.log.warn(`No lines of Python stacks: ${String(error)}`);
      return null;
    });
  }
}
