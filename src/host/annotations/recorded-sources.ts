import {readFile, stat} from 'node:fs/promises';
import {crc32} from 'node:zlib';
import * as vscode from 'vscode';
import {recordedSource, sourceOfText, type RecordedSource} from '../../core/source/block-change.js';
import type {Sidecar} from '../../core/source/sidecar.js';
import {lastCommitBefore, textAtCommit, textOfBlob, type PastFile} from '../../launch/history/git-history.js';
import {
  createTagReader,
  languageOfId,
  languageOfPath,
  longestSource,
  type SourceLanguage,
} from '../../source/tag-reader.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import {findGit} from './git-program.js';

/** What the code ran for: a profile or a memory snapshot. */
export interface Recording {
  /** Differs each time the file is opened. */
  readonly key: unknown;
  readonly path: string;
  readonly state: {readonly sidecar: Sidecar | null};
}

/** The text that a file is compared with, and where it comes from. */
export interface Baseline {
  readonly source: RecordedSource;
  readonly from: 'runner' | 'disk' | 'git';
}

/**
 * The text of files when a profile or a memory snapshot was recorded: from the runner's checksums, else from the disk if
 * the file is older than the recording, else from git.
 */
export class RecordedSources implements vscode.Disposable {
  readonly #loaded = new vscode.EventEmitter<string>();
  /** Fires with a file's URI when its baseline has become known. */
  readonly onDidLoad = this.#loaded.event;
  /** The baseline of each document (its URI) in the last recording asked about; null while unknown. */
  #known = new Map<string, Baseline | null>();
  #key: unknown = null;
  readonly #listener: vscode.Disposable;

  /**
   * @param guessesCommit whether, without a recorded commit, the text is that of the last commit before the recording;
   * not for figures that a line number alone places, because the code that ran may have had edits since
   */
  constructor(
    private readonly files: Pick<RecordedFiles, 'pathOf' | 'onDidChange'>,
    private readonly guessesCommit = true,
  ) {
    const forget = () => {
      this.#known = new Map();
    };
    // In a trusted workspace, git may know texts that are unknown so far.
    const trusted = vscode.workspace.onDidGrantWorkspaceTrust(forget);
    this.#listener = vscode.Disposable.from(files.onDidChange(forget), trusted);
  }

  /** Returns the baseline of a document; null if it is unknown, or not known yet. */
  of(recording: Recording, document: vscode.TextDocument): Baseline | null {
    if (recording.key !== this.#key) {
      this.#key = recording.key;
      this.#known = new Map();
    }
    const uri = document.uri.toString();
    const known = this.#known.get(uri);
    if (known !== undefined) return known;
    const {sidecar} = recording.state;
    const recorded = this.files.pathOf(document.uri, recording);
    const source = sidecar && recorded !== null ? recordedSource(recorded, sidecar) : null;
    const baseline: Baseline | null = source ? {source, from: 'runner'} : null;
    this.#known.set(uri, baseline);
    const language = languageOfId(document.languageId) ?? languageOfPath(document.uri.path);
    if (!baseline && language && document.uri.scheme === 'file') void this.#load(recording, document.uri, language);
    return baseline;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#loaded.dispose();
  }

  async #load(recording: Recording, uri: vscode.Uri, language: SourceLanguage): Promise<void> {
    const known = this.#known;
    const found = (await textOnDisk(recording, uri.fsPath)) ?? (await this.#textInGit(recording, uri));
    if (!found) return;
    const reader = await createTagReader(language);
    const source = sourceOfText(found.text, reader.tags(found.text), line => crc32(line));
    // The document may by now belong to another recording, or to another path of this one.
    if (known !== this.#known) return;
    known.set(uri.toString(), {source, from: found.from});
    this.#loaded.fire(uri.toString());
  }

  async #textInGit(recording: Recording, uri: vscode.Uri): Promise<Found | null> {
    // git reads the repository's configuration, which comes from the workspace.
    const git = vscode.workspace.isTrusted ? await findGit() : null;
    if (git === null) return null;
    const file: PastFile = {git, path: uri.fsPath};
    const text =
      (await this.#recordedBlob(recording, uri, file)) ?? (await this.#textAtRecordedCommit(recording, file));
    return text === null ? null : {text, from: 'git'};
  }

  async #recordedBlob(recording: Recording, uri: vscode.Uri, file: PastFile): Promise<string | null> {
    const path = this.files.pathOf(uri, recording);
    const recorded = recording.state.sidecar?.files.find(candidate => candidate.file === path);
    return recorded?.gitBlob ? textOfBlob(file, recorded.gitBlob) : null;
  }

  async #textAtRecordedCommit(recording: Recording, file: PastFile): Promise<string | null> {
    const known = recording.state.sidecar?.gitCommit ?? null;
    const atMs = this.guessesCommit ? await recordedMs(recording) : NaN;
    const commit = known ?? (Number.isNaN(atMs) ? null : await lastCommitBefore(file, atMs));
    return commit === null ? null : textAtCommit(file, commit);
  }
}

interface Found {
  readonly text: string;
  readonly from: Baseline['from'];
}

/** Returns when something was recorded, in ms since 1970; NaN if its file is gone. */
async function recordedMs({path, state}: Recording): Promise<number> {
  if (state.sidecar?.recordedAt) return Date.parse(state.sidecar.recordedAt);
  return stat(path).then(
    ({mtimeMs}) => mtimeMs,
    () => NaN,
  );
}

async function textOnDisk(recording: Recording, path: string): Promise<Found | null> {
  try {
    const {mtimeMs, size} = await stat(path);
    if (!(mtimeMs < (await recordedMs(recording))) || size > longestSource) return null;
    return {text: await readFile(path, 'utf8'), from: 'disk'};
  } catch {
    return null;
  }
}
