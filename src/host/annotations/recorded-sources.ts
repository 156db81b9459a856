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

/** What a file is compared with, and who says so. */
export interface Baseline {
  readonly source: RecordedSource;
  readonly from: 'runner' | 'disk' | 'git';
}

/**
 * Files as they were when a profile was recorded: by the runner's checksums, else as they lie on the disk where they are
 * older than the profile, else as git has them.
 */
export class RecordedSources implements vscode.Disposable {
  readonly #loaded = new vscode.EventEmitter<string>();
  /** What a file (its URI) is compared with has become known. */
  readonly onDidLoad = this.#loaded.event;
  /** Document (its URI) → what it is compared with, of one profile; null while that is not known. */
  #known = new Map<string, Baseline | null>();
  #profileKey = -1;
  readonly #listener: vscode.Disposable;

  constructor(private readonly files: Pick<RecordedFiles, 'pathOf' | 'onDidChange'>) {
    this.#listener = files.onDidChange(() => {
      this.#known = new Map();
    });
  }

  /** What a document is compared with; null where nothing is known, or not yet. */
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
    // Meanwhile another profile, or another path of this one, may be what the document is compared with.
    if (known !== this.#known) return;
    known.set(uri.toString(), {source, from: found.from});
    this.#loaded.fire(uri.toString());
  }

  async #textInGit(profile: OpenProfile, uri: vscode.Uri): Promise<Found | null> {
    // git reads the configuration of the repository, which is the workspace's.
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

/** When a profile was recorded, ms since 1970; NaN where its file is gone. */
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
