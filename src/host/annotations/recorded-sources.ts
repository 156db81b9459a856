import {readFile, stat} from 'node:fs/promises';
import {crc32} from 'node:zlib';
import * as vscode from 'vscode';
import {recordedSource, sourceOfText, type RecordedSource} from '../../core/source/block-change.js';
import {lastCommitBefore, textAtCommit, textOfBlob, type PastFile} from '../../launch/history/git-history.js';
import {
  createTagReader,
  languageOfId,
  languageOfPath,
  longestSource,
  type SourceLanguage,
} from '../../source/tag-reader.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import {findGit} from './git-program.js';

/** The text that a file is compared with, and where it comes from. */
export interface Baseline {
  readonly source: RecordedSource;
  readonly from: 'runner' | 'disk' | 'git';
}

/**
 * The text of files when a profile was recorded: from the runner's checksums, else from the disk if the file is older
 * than the profile, else from git.
 */
export class RecordedSources implements vscode.Disposable {
  readonly #loaded = new vscode.EventEmitter<string>();
  /** Fires with a file's URI when its baseline has become known. */
  readonly onDidLoad = this.#loaded.event;
  /** The baseline of each document (its URI) in one profile; null while unknown. */
  #known = new Map<string, Baseline | null>();
  #profileKey = -1;
  readonly #listener: vscode.Disposable;

  constructor(private readonly files: Pick<RecordedFiles, 'pathOf' | 'onDidChange'>) {
    this.#listener = files.onDidChange(() => {
      this.#known = new Map();
    });
  }

  /** Returns the baseline of a document; null if it is unknown, or not known yet. */
  of(profile: OpenProfile, document: vscode.TextDocument): Baseline | null {
    if (profile.key !== this.#profileKey) {
      this.#profileKey = profile.key;
      this.#known = new Map();
    }
    const uri = document.uri.toString();
    const known = this.#known.get(uri);
    if (known !== undefined) return known;
    const {sidecar} = profile.state;
    const recorded = this.files.pathOf(document.uri, profile);
    const source = sidecar && recorded !== null ? recordedSource(recorded, sidecar) : null;
    const baseline: Baseline | null = source ? {source, from: 'runner'} : null;
    this.#known.set(uri, baseline);
    const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
    if (!baseline && language && document.uri.scheme === 'file') void this.#load(profile, document.uri, language);
    return baseline;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#loaded.dispose();
  }

  async #load(profile: OpenProfile, uri: vscode.Uri, language: SourceLanguage): Promise<void> {
    const known = this.#known;
    const found = (await textOnDisk(profile, uri.fsPath)) ?? (await this.#textInGit(profile, uri));
    if (!found) return;
    const reader = await createTagReader(language);
    const source = sourceOfText(found.text, reader.tags(found.text), line => crc32(line));
    // The document may by now belong to another profile, or to another path of this one.
    if (known !== this.#known) return;
    known.set(uri.toString(), {source, from: found.from});
    this.#loaded.fire(uri.toString());
  }

  async #textInGit(profile: OpenProfile, uri: vscode.Uri): Promise<Found | null> {
    // git reads the repository's configuration, which comes from the workspace.
    const git = vscode.workspace.isTrusted ? await findGit() : null;
    if (git === null) return null;
    const file: PastFile = {git, path: uri.fsPath};
    const text = (await this.#recordedBlob(profile, uri, file)) ?? (await recordedCommit(profile, file));
    return text === null ? null : {text, from: 'git'};
  }

  async #recordedBlob(profile: OpenProfile, uri: vscode.Uri, file: PastFile): Promise<string | null> {
    const path = this.files.pathOf(uri, profile);
    const recorded = profile.state.sidecar?.files.find(candidate => candidate.file === path);
    return recorded?.gitBlob ? textOfBlob(file, recorded.gitBlob) : null;
  }
}

interface Found {
  readonly text: string;
  readonly from: Baseline['from'];
}

/** Returns when a profile was recorded, in ms since 1970; NaN if its file is gone. */
async function recordedMs({path, state}: OpenProfile): Promise<number> {
  if (state.sidecar?.recordedAt) return Date.parse(state.sidecar.recordedAt);
  return stat(path).then(
    ({mtimeMs}) => mtimeMs,
    () => NaN,
  );
}

async function textOnDisk(profile: OpenProfile, path: string): Promise<Found | null> {
  try {
    const {mtimeMs, size} = await stat(path);
    if (!(mtimeMs < (await recordedMs(profile))) || size > longestSource) return null;
    return {text: await readFile(path, 'utf8'), from: 'disk'};
  } catch {
    return null;
  }
}

async function recordedCommit(profile: OpenProfile, file: PastFile): Promise<string | null> {
  const atMs = await recordedMs(profile);
  const known = profile.state.sidecar?.gitCommit ?? null;
  const commit = known ?? (Number.isNaN(atMs) ? null : await lastCommitBefore(file, atMs));
  return commit === null ? null : textAtCommit(file, commit);
}
