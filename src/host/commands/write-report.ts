import {basename, dirname, join} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {KeptSweep} from '../../launch/benchmark/sweep-files.js';
import {runProgram} from '../../launch/programs/run-program.js';
import {askOne} from '../base/ask.js';
import {withCancel} from '../base/cancellable.js';
import {showFailure, type Log} from '../base/log.js';
import {plainLabel, showInformation} from '../base/messages.js';
import {engineSettings, readSettings} from '../base/settings.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {MakeReadable} from '../profiles/report-exporter.js';

export interface WriteReportOptions {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;
  readonly store: Pick<ProfileStore, 'activeOpen'>;
  readonly makeReadable: MakeReadable;
  /** The files of the last comparison shown, the base first; null for none. */
  readonly compared: () => readonly string[] | null;
  readonly sweeps: () => Promise<readonly KeptSweep[]>;
  /** The folder whose dismissals and rules apply; null if the workspace is not trusted. */
  readonly workspaceFolder: () => string | null;
  readonly log: Log;
}

/** The subject of a report: one profile, two, or a sweep's folder. */
interface Subject {
  readonly files: readonly string[];
  readonly isSweep: boolean;
  /** The suggested path. */
  readonly proposed: string;
}

/**
 * "Write Report…": writes a report of the comparison or the sweep in front, else of the active profile, as `gpu-lens
 * report` does.
 */
export function writeReportCommand(options: WriteReportOptions): () => Promise<void> {
  return async () => {
    try {
      const subject = await subjectOf(options);
      if (subject === 'none') {
        await showInformation(
          vscode.l10n.t('There is nothing to report on. Open a profile, compare two, or run a benchmark first.'),
        );
      } else if (subject) {
        await write(options, subject);
      }
    } catch (error) {
      await showFailure(options.log, error);
    }
  };
}

/** Returns undefined if the user was asked and chose none. */
async function subjectOf({store, compared, sweeps}: WriteReportOptions): Promise<Subject | 'none' | undefined> {
  const front = pageInFront();
  const files = compared();
  const [base, changed] = files ?? [];
  if (front.endsWith('gpuLens.comparison') && base !== undefined && changed !== undefined) {
    return {files: [base, changed], isSweep: false, proposed: join(dirname(changed), 'comparison.report.html')};
  }
  const profile = store.activeOpen;
  if (profile && !front.endsWith('gpuLens.benchmark')) {
    return {files: [profile.path], isSweep: false, proposed: `${profile.path}.report.html`};
  }
  const sweep = await chosenSweep(await sweeps());
  return sweep && sweep !== 'none'
    ? {files: [sweep.folder], isSweep: true, proposed: join(sweep.folder, 'report.html')}
    : sweep;
}

async function chosenSweep(sweeps: readonly KeptSweep[]): Promise<KeptSweep | 'none' | undefined> {
  const [first, ...others] = sweeps;
  if (!first) return 'none';
  if (others.length === 0) return first;
  const items = sweeps.map(sweep => ({
    label: plainLabel(sweep.record.name || basename(sweep.folder)),
    description: sweep.record.startedAt,
    sweep,
  }));
  return (await askOne(items, {title: vscode.l10n.t('The sweep to report on')}))?.sweep;
}

/** Returns the kind of page in front; empty for a text editor. */
function pageInFront(): string {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputWebview ? input.viewType : '';
}

async function write(options: WriteReportOptions, subject: Subject): Promise<void> {
  const chosen = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Write Report'),
    defaultUri: vscode.Uri.file(subject.proposed),
    filters: {HTML: ['html'], Markdown: ['md']},
  });
  if (!chosen) return;
  const isWritten = await withCancel(vscode.l10n.t('Writing {0}', basename(chosen.fsPath)), async ({signal}) => {
    await runReport(options, subject, chosen.fsPath, signal);
    return true;
  });
  if (isWritten === true) await openReport(chosen);
}

/** @throws TraceError `launch/failed` with the command line's message */
async function runReport(
  {context, makeReadable, workspaceFolder, log}: WriteReportOptions,
  {files, isSweep}: Subject,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const readable = isSweep
    ? files
    : await Promise.all(files.map(file => makeReadable(file, {signal, onProgress: () => undefined})));
  const {memoryLimitBytes} = engineSettings(context.globalStorageUri);
  const {nsys} = readSettings();
  const end = await runProgram(
    process.execPath,
    [
      vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.cjs').fsPath,
      'report',
      ...readable,
      `--output=${output}`,
      ...(memoryLimitBytes === null ? [] : [`--memory-limit=${String(memoryLimitBytes / 1e6)}`]),
    ],
    {
      // Dismissals and rules are read from the working directory, so an untrusted workspace must not be it.
      cwd: workspaceFolder() ?? context.extensionUri.fsPath,
      // If this process is Electron, the variable makes it run as Node.
      env: {...process.env, ELECTRON_RUN_AS_NODE: '1', ...(nsys !== null && {GPU_LENS_NSYS: nsys})},
      signal,
    },
  );
  const lines = end.output.split('\n').filter(line => line !== '');
  for (const line of lines) log.info(line);
  if (end.status === 0) return;
  const said = lines.findLast(line => line.startsWith(prefix))?.slice(prefix.length);
  throw new TraceError('launch/failed', said ?? vscode.l10n.t('The report could not be written: the log tells more.'));
}

const prefix = 'gpu-lens: ';

/** Opens Markdown in a preview and HTML in the browser; on a remote machine, as text. */
async function openReport(file: vscode.Uri): Promise<void> {
  if (/\.html?$/i.test(file.path)) {
    const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
    if (isHere && (await vscode.env.openExternal(file))) return;
    await vscode.commands.executeCommand('vscode.open', file);
  } else {
    await vscode.commands.executeCommand('markdown.showPreview', file);
  }
}
