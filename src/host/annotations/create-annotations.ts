import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import type {Log} from '../base/log.js';
import {commandIds} from '../base/command-ids.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';
import {Annotations} from './annotations.js';
import {CallLines} from './call-lines.js';
import {CompiledCalls} from './compiled-calls.js';
import {RangeCodeLenses} from './code-lens.js';
import {DocumentTags, taggedDocuments} from './document-tags.js';
import {EarlierRun} from './earlier-run.js';
import {FilesWithoutFigures} from './file-without-figures.js';
import {KernelLines} from './kernel-lines.js';
import {LineHints} from './line-hints.js';
import {LineHovers} from './line-hovers.js';
import {LineMarks} from './line-marks.js';
import {PredictedLenses} from './predicted-lenses.js';
import {RunComparison} from './run-comparison.js';
import {RecordedSources} from './recorded-sources.js';
import {SourceLineWorks} from './source-lines.js';
import {UntaggedLines} from './untagged-lines.js';
import {whatIfLineCommand} from './what-if-line.js';

interface Services {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  readonly scopes: ProfileScopes;
  readonly engine: EngineClient;
  readonly workspace: WorkspaceIndex;
  readonly files: RecordedFiles;
  readonly log: Log;
}

/** Creates everything that GPU Lens shows in text editors. */
export function createAnnotations(
  extensionUri: vscode.Uri,
  {store, jobs, scopes, engine, workspace, files, log}: Services,
): {
  readonly annotations: Annotations;
  readonly commands: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly disposable: vscode.Disposable;
} {
  const tags = new DocumentTags();
  const recorded = new RecordedSources(files);
  const earlier = new EarlierRun(store, engine, log);
  const annotations = new Annotations(tags, recorded, files, earlier, workspace, store, scopes, engine, log, jobs);
  const services = {annotations, files, store, scopes, engine, log};
  const untagged = new UntaggedLines(
    annotations,
    new SourceLineWorks(services),
    new KernelLines(services),
    new CompiledCalls(services),
    new CallLines(services),
  );
  const comparison = new RunComparison(store, engine, earlier, log);
  const disposable = vscode.Disposable.from(
    tags,
    recorded,
    earlier,
    comparison,
    annotations,
    new LineMarks(annotations, untagged, extensionUri),
    new LineHints(annotations, tags, files, store, engine, log),
    vscode.languages.registerHoverProvider(
      taggedDocuments,
      new LineHovers(annotations, untagged, store, scopes, engine, log),
    ),
    vscode.languages.registerCodeLensProvider(
      taggedDocuments,
      new RangeCodeLenses(annotations, untagged, new FilesWithoutFigures(store, files, scopes)),
    ),
    vscode.languages.registerCodeLensProvider(taggedDocuments, new PredictedLenses(annotations, store, engine, log)),
  );
  const commands = {
    [commandIds.compareRuns]: comparison.show,
    [commandIds.whatIfLine]: whatIfLineCommand(annotations, untagged),
  };
  return {annotations, commands, disposable};
}
