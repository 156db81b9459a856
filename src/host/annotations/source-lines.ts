import type * as vscode from 'vscode';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {SourceLines} from '../../core/lines/source-lines.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';
import {classesOfModules} from '../../core/source/module-forward.js';
import {placesOfSourceLines, type PlacedWork} from '../../core/lines/source-line-places.js';
import {createTagReader, languageOfId, type TagReader} from '../../source/tag-reader.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import {LineAnswer, type LineServices} from './line-answer.js';
import {untaggedTiming} from './untagged-timing.js';

/** The work of a line without a tag, with the same figures as a tag. */
export interface SourceLineWork extends Pick<PlacedWork, 'line' | 'about' | 'names' | 'kind'> {
  readonly timing: LineTiming;
}

/** Figures of untagged functions and modules, from a profile with Python stacks. */
export class SourceLineWorks {
  readonly #lines: LineAnswer<SourceLines | null>;
  readonly #readers = new WeakMap<vscode.TextDocument, TagReader>();

  constructor(private readonly services: LineServices) {
    this.#lines = new LineAnswer(services, 'lines of Python stacks', null);
  }

  /** Returns the lines of a Python document with such work, from the top. */
  async of(document: vscode.TextDocument): Promise<readonly SourceLineWork[]> {
    const {annotations, files, store} = this.services;
    const profile = store.activeOpen;
    if (!profile || languageOfId(document.languageId) !== 'python') return [];
    const of = this.#lines.scopeFor(document, profile);
    const source = await this.#linesOf(profile, of);
    if (!source || source.lines.length + source.modules.length === 0) return [];
    const reader = this.#readers.get(document) ?? (await createTagReader('python'));
    this.#readers.set(document, reader);
    const modules = profile.state.sidecar?.modules ?? [];
    const file = {
      frameFile: files.pathIn(source.lines, document.uri, profile),
      moduleFile: files.pathIn(modules, document.uri, profile),
      lineCount: document.lineCount,
      lineAt: (line: number) => document.lineAt(line - 1).text,
      modules: source.modules.length > 0 ? reader.modules(document.getText()) : [],
      lineNow: await annotations.recordedLinesNow(document, profile),
    };
    return placesOfSourceLines(file, source, modules).map(({work, ...place}) => ({
      ...place,
      timing: untaggedTiming(work, source, of),
    }));
  }

  #linesOf(profile: OpenProfile, of: TimingScope): Promise<SourceLines | null> {
    const {summary, sidecar} = profile.state;
    const classes = classesOfModules(sidecar?.modules ?? []);
    return this.#lines.to(profile, of, () => this.services.engine.ask('lines', {profile: summary.id, of, classes}));
  }
}
