import type * as vscode from 'vscode';
import {scopeOfLines} from '../../core/text/line-fields.js';
import type {TimingScope} from '../../core/scope/timing-scope.js';
import type {EngineClient} from '../../engine/client.js';
import {LastAnswer} from '../base/last-answer.js';
import type {Log} from '../base/log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings} from '../base/settings.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {Annotations} from './annotations.js';

/** The services needed to show figures on lines without a tag. */
export interface LineServices {
  readonly annotations: Pick<Annotations, 'recordedLinesNow'>;
  readonly files: Pick<RecordedFiles, 'pathOf' | 'pathIn'>;
  readonly store: Pick<ProfileStore, 'activeOpen'>;
  readonly scopes: Pick<ProfileScopes, 'of'>;
  readonly engine: Pick<EngineClient, 'ask'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Caches the answer to one kind of question about the active profile. Asks again if the profile, its scope or the line
 * style changes.
 */
export class LineAnswer<T> {
  readonly #last = new LastAnswer<T>();

  /**
   * @param what the subject of the question, for the log
   * @param otherwise used if the question fails
   */
  constructor(
    private readonly services: Pick<LineServices, 'scopes' | 'log'>,
    private readonly what: string,
    private readonly otherwise: T,
  ) {}

  /** Returns the scope of a document's lines: steps, calls or a window. */
  scopeFor(document: vscode.TextDocument, profile: OpenProfile): TimingScope {
    return scopeOfLines(readSettings(document.uri).lineStyle.per, this.services.scopes.of(profile));
  }

  /** @param asked the rest of the question */
  to(profile: OpenProfile, of: TimingScope, ask: () => Promise<T>, asked: unknown = null): Promise<T> {
    return this.#last.to(JSON.stringify([profile.key, of, asked]), ask, error => {
      this.services.log.warn(`No ${this.what}: ${String(error)}`);
      return this.otherwise;
    });
  }
}
