import * as vscode from 'vscode';
import {formatDuration} from '../../core/format/duration.js';
import type {EngineClient} from '../../engine/client.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {NamePlace} from '../../source/python-completion.js';
import {languageOfId, languageOfPath, longestSource} from '../../source/tag-reader.js';
import type {ParsedDocuments} from './parsed-documents.js';

/** Completes a tag's name with the ranges of the active profile. */
export class RangeCompletion implements vscode.CompletionItemProvider {
  static readonly triggers = ['"', "'"];

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly documents: ParsedDocuments,
  ) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const profile = this.store.activeOpen;
    const place = profile && (await this.#placeAt(document, document.offsetAt(position)));
    if (!place) return [];
    const range = new vscode.Range(document.positionAt(place.from), document.positionAt(place.to));
    // If the engine is gone or the profile was closed, there are no names.
    const names = await this.engine.ask('ranges/names', {profile: profile.state.summary.id}).catch(() => []);
    return names.map(({name, gpuWorkNs, cpuWallNs}, at) => {
      const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Constant);
      item.insertText = name.replace(/[\\"']/g, '\\$&');
      item.filterText = name;
      item.range = range;
      item.detail =
        gpuWorkNs > 0
          ? vscode.l10n.t('GPU work {0}', formatDuration(gpuWorkNs))
          : vscode.l10n.t('CPU {0}', formatDuration(cpuWallNs));
      item.sortText = String(at).padStart(6, '0');
      return item;
    });
  }

  async #placeAt(document: vscode.TextDocument, offset: number): Promise<NamePlace | null> {
    const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
    if (language === 'cpp') {
      const {parseCpp} = await import('../../source/cpp-tags.js');
      const {cppTagNameAt} = await import('../../source/cpp-completion.js');
      const text = document.getText();
      return text.length > longestSource ? null : cppTagNameAt(parseCpp(text), offset);
    }
    const parsed = await this.documents.of(document);
    const {tagNameAt} = await import('../../source/python-completion.js');
    return parsed && tagNameAt(parsed, offset);
  }
}
