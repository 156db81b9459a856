import * as vscode from 'vscode';
import {shortened} from '../../core/format/shortened.js';
import {getOrAdd} from '../../core/table/get-or-add.js';
import {showInformation} from '../base/messages.js';
import type {SourcePaths} from './source-paths.js';

/** The workspace files that each path of a profile may mean. */
export type UnsurePaths = ReadonlyMap<string, readonly string[]>;

interface Questions {
  /** Paths seen so far, so that none is asked about twice. */
  readonly met: Set<string>;
  /** Paths that the user has not been asked about. */
  readonly waiting: Map<string, readonly string[]>;
  isTold: boolean;
}

/**
 * Asks which files the paths of profiles mean. Each profile has one notification, however many of its paths are
 * unclear. If the user goes through them, later ones are asked about too; if the user closes it, they are not.
 */
export class PathQuestions {
  /** By the path of a profile. */
  readonly #ofProfiles = new Map<string, Questions>();

  constructor(private readonly paths: Pick<SourcePaths, 'ask'>) {}

  /** Asks about a profile's paths that may mean a file, if that file is visible. */
  ask(uri: vscode.Uri, profile: string, unsure: UnsurePaths): void {
    if (unsure.size === 0) return;
    if (!vscode.window.visibleTextEditors.some(({document}) => document.uri.path === uri.path)) return;
    const questions = getOrAdd(this.#ofProfiles, profile, noQuestions);
    for (const [path, files] of unsure) {
      if (questions.met.has(path)) continue;
      questions.met.add(path);
      questions.waiting.set(path, files);
    }
    if (!questions.isTold && questions.waiting.size > 0) void this.#tell(questions);
  }

  /** Forgets all questions, so that they are asked again. */
  forget(): void {
    this.#ofProfiles.clear();
  }

  async #tell(questions: Questions): Promise<void> {
    questions.isTold = true;
    if (!(await showInformation(questionText(questions.waiting), vscode.l10n.t('Choose File')))) return;
    for (const [path, files] of questions.waiting) {
      questions.waiting.delete(path);
      if ((await this.paths.ask(path, files)) === undefined) return;
    }
    questions.isTold = false;
  }
}

function noQuestions(): Questions {
  return {met: new Set(), waiting: new Map(), isTold: false};
}

function questionText(unsure: UnsurePaths): string {
  const [[recorded, files] = ['', []]] = unsure;
  const path = shortened(recorded);
  if (unsure.size > 1) {
    return vscode.l10n.t(
      '"{0}" and other paths of the profile ({1}) may be several files of this workspace: their figures stand on none of them until you choose.',
      path,
      unsure.size,
    );
  }
  if (files.length > 1) {
    return vscode.l10n.t(
      '"{0}" of the profile may be any of {1} files of this workspace: its figures stand on none of them until you choose one.',
      path,
      files.length,
    );
  }
  const file = vscode.workspace.asRelativePath(files[0] ?? '');
  return vscode.l10n.t(
    '"{0}" of the profile may be "{1}", or a file of another project: its figures stand nowhere until you choose it.',
    path,
    file,
  );
}
