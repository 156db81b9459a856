import * as vscode from 'vscode';
import {findingFrame} from '../../core/findings/findings-page.js';
import {noSuchFile} from '../../core/source/no-line.js';
import type {RevealTarget} from '../../protocol/view-messages.js';
import {projectFile} from '../../sql/read-dismissals.js';
import type {Annotations} from '../annotations/annotations.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {rowCommand} from '../base/row-command.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {RevealSource} from '../source/reveal-source.js';
import {FindingProblems} from './finding-problems.js';
import {FindingsView, type FindingItem} from './findings-view.js';
import type {FindingsStore} from './known-findings.js';

interface Services {
  readonly store: ProfileStore;
  readonly findings: FindingsStore;
  readonly annotations: Annotations;
  readonly files: RecordedFiles;
  readonly revealSource: RevealSource;
  readonly reveal: (target: RevealTarget) => Promise<void>;
  /** Makes an open summary ask for its findings again. */
  readonly tellSummary: () => void;
  readonly log: Log;
}

/** Shows the findings of the active profile in the side bar, and on the lines that they lead to. */
export function createFindingsView(services: Services): {
  readonly disposable: vscode.Disposable;
  readonly commands: Record<string, (...args: never[]) => unknown>;
} {
  const {store, findings, annotations, files, tellSummary, log} = services;
  const problems = new FindingProblems(store, findings, annotations, files, log);
  const forget = () => {
    findings.forget();
    // The summary's own answers fire the store's event too, so it cannot listen to that.
    tellSummary();
  };
  const changed = [projectFile, '.gpu-lens/rules/*.sql'].map(name => {
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${name}`);
    return vscode.Disposable.from(
      ...[watcher, watcher.onDidChange(forget), watcher.onDidCreate(forget), watcher.onDidDelete(forget)],
    );
  });
  return {
    disposable: vscode.Disposable.from(
      new FindingsView(store, findings),
      problems,
      vscode.languages.registerCodeActionsProvider({scheme: 'file'}, problems, {
        providedCodeActionKinds: FindingProblems.kinds,
      }),
      ...changed,
      // Rules and dismissals count only in a trusted workspace.
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    ),
    commands: {
      [commandIds.revealFinding]: rowCommand<FindingItem>(([item]) => item && goToSource(services, item)),
      [commandIds.showFindingInTimeline]: rowCommand<FindingItem>(([item]) => item && showInTimeline(services, item)),
    },
  };
}

async function goToSource({store, revealSource, log}: Services, {finding}: FindingItem): Promise<void> {
  const profile = store.activeOpen;
  const name = findingFrame(finding);
  if (!profile || name === null) return;
  try {
    if (!(await revealSource(name, profile.state))) await showInformation(noSuchFile(finding.file ?? name));
  } catch (error) {
    await showFailure(log, error);
  }
}

/** A finding has a moment but no slice, so its surroundings are shown. */
async function showInTimeline({store, reveal, log}: Services, {finding: {startNs}}: FindingItem): Promise<void> {
  const profile = store.activeOpen;
  if (!profile || startNs === null) return;
  const {steps, info} = profile.state.summary;
  const step = steps.find(one => one.startNs <= startNs && startNs < one.endNs);
  const aroundNs = step ? step.endNs - step.startNs : info.spanNs / 20;
  try {
    await reveal({slice: -1, fromNs: startNs - aroundNs / 4, toNs: startNs + aroundNs / 2, names: []});
  } catch (error) {
    await showFailure(log, error);
  }
}
