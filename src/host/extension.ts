import {isAbsolute, join} from 'node:path';
import * as vscode from 'vscode';
import {storyOf} from '../core/base/errors.js';
import {setWords} from '../core/base/say.js';
import {EngineClient} from '../engine/client.js';
import {taggedDocuments} from './annotations/document-tags.js';
import {createAnnotations} from './annotations/create-annotations.js';
import {createApi} from './api/create-api.js';
import type {GpuLensExports} from './api/gpu-lens-api.js';
import {SourceClient} from '../engine/source-client.js';
import {BudgetProblems} from './budgets/budget-problems.js';
import {createBenchmarkServices} from './benchmark/benchmark-services.js';
import {commandIds} from './base/command-ids.js';
import {offerMcpServer} from './agents/mcp-servers.js';
import {registerModelTools} from './agents/model-tools.js';
import {MarkdownPages} from './views/markdown-pages.js';
import {ProfileComparisons} from './commands/profile-comparisons.js';
import {showBothTimelinesCommand} from './commands/show-both-timelines.js';
import {savePartCommand} from './commands/save-part.js';
import {showWhatIfCommand, whatIfRowCommand} from './commands/show-what-if.js';
import {writeReportCommand} from './commands/write-report.js';
import {CursorHighlight} from './cursor-highlight.js';
import {forgetSourceFilesCommand} from './commands/forget-source-files.js';
import {openProfileCommand} from './commands/open-profile.js';
import {openSampleCommand} from './commands/open-sample.js';
import {showRangeCommand} from './commands/show-range.js';
import {showRangeInTimelineCommand} from './commands/show-range-in-timeline.js';
import {showRowCommand} from './commands/show-row.js';
import {showUntaggedCommand} from './commands/show-untagged.js';
import {createJobServices} from './job/create-job-services.js';
import {JobStore} from './profiles/job-store.js';
import {switchProfileCommand} from './commands/switch-profile.js';
import {showWithLog, versionsText} from './base/log.js';
import {openWithProgress} from './profiles/open-profile.js';
import {closeProfileCommand, ProfileListView, showProfileViewCommand} from './profile-list/profile-list-view.js';
import {ProfileScopes} from './profiles/profile-scopes.js';
import {ProfileStore} from './profiles/profile-store.js';
import {reopenLast} from './profiles/reopen-last.js';
import {createMemoryServices} from './memory-services.js';
import {createQueryServices, trustedFolder} from './query-services.js';
import {createRunServices} from './create-run-services.js';
import {PrivacyNote} from './profiles/privacy-note.js';
import {openInEditorCommand, RecognisedFile} from './commands/recognised-file.js';
import {createReportExporter} from './profiles/report-exporter.js';
import {engineSettings, readSettings, section} from './base/settings.js';
import {RecordedFiles} from './source/recorded-files.js';
import {createRevealKernelFile} from './source/reveal-kernel-file.js';
import {createRevealLaunches} from './source/reveal-launches.js';
import {createRevealSource} from './source/reveal-source.js';
import {ParsedDocuments} from './source/parsed-documents.js';
import {RangeCompletion} from './source/range-completion.js';
import {SourcePaths} from './source/source-paths.js';
import {tagEveryForwardCommand} from './commands/tag-every-forward.js';
import {TagActions} from './source/tag-actions.js';
import {WorkspaceIndex} from './source/workspace-index.js';
import {clearScopeCommand, createScopeStatus} from './scope-status.js';
import {createStatusBarItem} from './status-bar.js';
import {createFindingsView} from './findings/create-findings.js';
import {createHotRanges} from './hot-ranges/create-hot-ranges.js';
import {createRunsView} from './runs/create-runs.js';
import {RunHistory} from './runs/run-history.js';
import {TimelineView} from './views/timeline-view.js';
import {TraceEditor} from './views/trace-editor.js';
import {ComparisonConnection, ShownComparison} from './views/comparison-connection.js';
import {comparisonPanel, Panel} from './views/view-panel.js';
import {createViewActions} from './views/view-actions.js';
import type {ViewServices} from './views/view-connection.js';
import {createViewCommands} from './views/view-commands.js';
import {createProfilePanels} from './views/profile-panels.js';

/** Wires everything together, and returns the API for other extensions. Nothing heavy starts before it is needed. */
export function activate(context: vscode.ExtensionContext): GpuLensExports {
  const {extensionUri} = context;
  const {bundle: words} = vscode.l10n;
  setWords(words, vscode.env.language);
  const log = vscode.window.createOutputChannel('GPU Lens', {log: true});
  const programPath = vscode.Uri.joinPath(extensionUri, 'dist', 'engine.cjs').fsPath;
  const engine = new EngineClient({
    programPath,
    settings: () => engineSettings(context.globalStorageUri),
    words,
    onLost: (reason, error) => {
      log.error(error ? `${reason}\n${storyOf(error)}` : reason);
      void showWithLog(log, reason);
    },
  });
  const privacy = new PrivacyNote(context.workspaceState);
  const makeReadable = createReportExporter(context.globalStorageUri, () => void privacy.tell());
  const store = new ProfileStore(engine, makeReadable, log);
  const jobs = new JobStore(engine, makeReadable);
  const sourceWorkerPath = vscode.Uri.joinPath(extensionUri, 'dist', 'sources.cjs').fsPath;
  const workspaceIndex = new WorkspaceIndex(new SourceClient(sourceWorkerPath), log);
  const scopes = new ProfileScopes(context.workspaceState);
  const sourcePaths = new SourcePaths(context.workspaceState);
  const files = new RecordedFiles(workspaceIndex, sourcePaths);
  const revealSource = createRevealSource(workspaceIndex, sourcePaths);
  const actions = createViewActions(target => timeline.reveal(target));
  const openPath = async (path: string) => (await openWithProgress(store, log, path)) !== null;
  const services: ViewServices = {
    store,
    jobs,
    scopes,
    engine,
    log,
    memory: context.workspaceState,
    showMemory: time => memory.showAt(time),
    runCommand: createViewCommands(store, log),
    actions,
    revealSource,
    openProfile: openPath,
    showAllRanks: (...shown) => job.showAll(...shown),
    showRow: (...row) => showRow(...row),
    showTable: tab => tables.showTable(tab),
    findingsOf: (...profile) => query.findings.find(...profile),
  };
  const timeline = new TimelineView(extensionUri, services);
  const {panels, commands: panelCommands} = createProfilePanels(extensionUri, services);
  const {summary, flame, tables} = panels;
  const showSummary = (shown: Pick<TimelineView, 'whenShown'> = timeline) => {
    if (readSettings().opensSummary) void summary.openBeside(shown.whenShown());
  };
  const editors = new TraceEditor(extensionUri, services, showSummary);
  const showRow = showRowCommand({
    ...{store, engine, timeline, flame, revealSource, log},
    revealLaunches: createRevealLaunches(workspaceIndex, sourcePaths),
    revealKernelFile: createRevealKernelFile(workspaceIndex, sourcePaths),
  });
  const hotRanges = createHotRanges({store, jobs, scopes, engine, revealSource, workspace: workspaceIndex, files, log});
  const lines = createAnnotations(extensionUri, {store, jobs, scopes, engine, workspace: workspaceIndex, files, log});
  const memory = createMemoryServices(extensionUri, {
    ...{engine, store, jobs, files, makeReadable, log},
    workspace: workspaceIndex,
    paths: sourcePaths,
    annotations: lines.annotations,
    reveal: target => timeline.reveal(target),
  });
  const parsedDocuments = new ParsedDocuments();
  const pages = new MarkdownPages();
  const query = createQueryServices(context, store, makeReadable, pages, services, log);
  const benchmarks = createBenchmarkServices(context, store, log);
  const run = createRunServices(context, store, privacy, log, showSummary);

  const job = createJobServices(extensionUri, {jobs, store, engine, timeline, openProfile: openPath, log});
  const findings = createFindingsView({
    ...{store, files, revealSource, log},
    findings: query.findings,
    annotations: lines.annotations,
    reveal: target => timeline.reveal(target),
    tellSummary: () => summary.connection?.tell('findings/changed', undefined),
  });

  const history = new RunHistory();
  const shownComparison = new ShownComparison();
  const comparison = new Panel(
    comparisonPanel,
    extensionUri,
    webview =>
      new ComparisonConnection(
        webview,
        shownComparison,
        {...actions, showBothTimelines, chooseShapes: comparisons.chooseShapes},
        log,
      ),
  );
  const comparisons = new ProfileComparisons(store, engine, history, scopes, log, content => {
    shownComparison.show(content);
    comparison.show();
  });
  const showBothTimelines = showBothTimelinesCommand(comparisons, editors, log);
  const runs = createRunsView({
    ...{history, showSweep: benchmarks.showSweep, compare: comparisons.compareFiles, log},
    openProfile: async path => (await openPath(path)) && TimelineView.show(),
    openJob: job.open,
    closeProfile: path => editors.close(path),
  });

  const openProfile = openProfileCommand({store, log, tables, showSummary, openJob: job.open});
  const showRangeInTimeline = showRangeInTimelineCommand(store, engine, timeline, log);
  const api = createApi({store, annotations: lines.annotations, openProfile: openPath, showRange: showRangeInTimeline});
  const commands: Record<string, (...args: never[]) => unknown> = {
    [commandIds.openProfile]: openProfile,
    [commandIds.openSample]: openSampleCommand(context),
    [commandIds.openInEditor]: openInEditorCommand(engine, openProfile),
    [commandIds.closeProfile]: closeProfileCommand(store),
    [commandIds.showProfileView]: showProfileViewCommand(store),
    [commandIds.compareWith]: comparisons.compareWith,
    [commandIds.showBothTimelines]: showBothTimelines,
    [commandIds.showMemory]: memory.show,
    [commandIds.writeReport]: writeReportCommand({
      ...{context, store, makeReadable, sweeps: benchmarks.sweeps, workspaceFolder: trustedFolder, log},
      compared: () => comparisons.shownPaths,
    }),
    [commandIds.savePart]: savePartCommand({store, scopes, engine, log}),
    [commandIds.showWhatIf]: showWhatIfCommand({store, engine, pages, log}),
    [commandIds.whatIfRow]: whatIfRowCommand,
    ...job.commands,
    [commandIds.switchProfile]: switchProfileCommand(store),
    [commandIds.showTimeline]: () => vscode.commands.executeCommand(`${TimelineView.id}.focus`),
    ...panelCommands,
    [commandIds.searchTimeline]: () => timeline.search(),
    [commandIds.clearScope]: clearScopeCommand(store, scopes),
    [commandIds.forgetSourceFiles]: forgetSourceFilesCommand(sourcePaths),
    [commandIds.showLog]: () => {
      log.show();
    },
    ...query.commands,
    ...findings.commands,
    ...runs.commands,
    ...hotRanges.commands,
    ...lines.commands,
    ...benchmarks.commands,
    ...run.commands,
    [commandIds.showRangeInTimeline]: showRangeInTimeline,
    [commandIds.showRangeFlame]: showRangeCommand(store, flame),
    [commandIds.showRangeKernels]: showRangeCommand(store, tables),
    [commandIds.tagEveryForward]: tagEveryForwardCommand(parsedDocuments),
    [commandIds.showUntagged]: showUntaggedCommand(store, scopes, tables, showRow),
  };
  context.subscriptions.push(
    log,
    store,
    {dispose: () => engine.dispose()},
    lines.disposable,
    pages,
    workspaceIndex,
    files,
    sourcePaths,
    vscode.languages.registerCodeActionsProvider(taggedDocuments, new TagActions(parsedDocuments), {
      providedCodeActionKinds: TagActions.kinds,
    }),
    vscode.languages.registerCompletionItemProvider(
      taggedDocuments,
      new RangeCompletion(store, engine, parsedDocuments),
      ...RangeCompletion.triggers,
    ),
    ...run.disposables,
    offerMcpServer(context),
    registerModelTools(context, log),
    ...query.disposables,
    hotRanges.disposable,
    findings.disposable,
    history,
    shownComparison,
    runs.disposable,
    new BudgetProblems(store, engine, history, log),
    ...memory.disposables,
    api.disposable,
    ...benchmarks.disposables,
    new CursorHighlight(store, engine, [timeline, editors], lines.annotations),
    new ProfileListView(store, jobs),
    jobs,
    createStatusBarItem(store, engine),
    createScopeStatus(store, scopes),
    scopes,
    vscode.workspace.onDidGrantWorkspaceTrust(openConfiguredProfile),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(section)) void engine.configure();
    }),
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, run as (...args: unknown[]) => unknown),
    ),
    vscode.window.registerWebviewViewProvider(TimelineView.id, timeline),
    ...[TraceEditor.viewType, TraceEditor.offeredType].map(type =>
      // Allows two steps of one profile side by side.
      vscode.window.registerCustomEditorProvider(type, editors, {supportsMultipleEditorsPerDocument: true}),
    ),
    new RecognisedFile(engine),
    ...[...Object.values(panels), benchmarks.panel, job.panel, comparison].map(panel =>
      vscode.window.registerWebviewPanelSerializer(panel.kind.viewType, panel),
    ),
  );
  log.info(versionsText());
  void openConfiguredProfile().then(() => reopenLast(store, context.workspaceState));
  return api.exports;

  /**
   * Opens the profile named by the settings. Workspace settings count only in a trusted workspace, since they could
   * name any file.
   */
  async function openConfiguredProfile(): Promise<void> {
    const {profile} = readSettings();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (profile === null || (folder === undefined && !isAbsolute(profile))) return;
    await openWithProgress(store, log, isAbsolute(profile) ? profile : join(folder ?? '', profile));
  }
}
