import {join} from 'node:path';
import * as vscode from 'vscode';
import {isFields, type JsonFields} from '../../core/base/read-json.js';
import {systemPreset} from '../../core/estimate/system-presets.js';
import {tagKinds, type TagKind} from '../../core/source/tag-kind.js';
import type {PathMap} from '../../core/source/path-map.js';
import {usualSilenceSeconds} from '../../launch/nsys/silence-limit.js';
import {profilers, type Profiler} from '../../launch/command/profile-request.js';
import type {RecordingValues} from '../../launch/command/recording-options.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {defaultUnpackedGB, unpackedLimit} from '../../core/trace/unpacked-limit.js';
import {shownRanks, type ShownRanks} from '../../core/job/line-ranks.js';
import {linePers, type LinePer} from '../../core/text/line-fields.js';
import {defaultLineTemplate, type LineStyle} from '../../core/text/line-timing.js';
import type {EngineSettings} from '../../protocol/engine-messages.js';

/** The only reader of GPU Lens's settings. */
export interface Settings {
  /** Profile that is opened at start, null for none. */
  readonly profile: string | null;
  readonly python: string | null;
  readonly nsys: string | null;
  /** How long nsys may neither write nor end; 0 for any time. */
  readonly nsysLimitSeconds: number;
  /** GB that a compressed profile may unpack to. */
  readonly maximumUnpackedGB: number;
  /** Whether a profile that is opened brings its summary. */
  readonly opensSummary: boolean;
  readonly codeLensEnabled: boolean;
  /** How the figures of a line are shown, wherever. */
  readonly lineStyle: LineStyle;
  /** Which figure over the ranks of a job stands above a line. */
  readonly lineRanks: ShownRanks;
  /** The GPU that lines of a recording of the CPU are predicted for; null for none. */
  readonly predictFor: string | null;
  /** Whether hot lines have marks in the gutter, a border and marks in the overview ruler. */
  readonly marksLines: boolean;
  /** Whether lines are compared with the run before. */
  readonly comparesRuns: boolean;
  /** Which lines have text at their end: those without CodeLens, hot ones besides, or none. */
  readonly endOfLine: EndOfLine;
  /** How mistakes are shown that the profile measured. */
  readonly hints: HintLevel;
  /** What open profiles may hold in memory together; null for a part of the machine's. */
  readonly memoryLimitBytes: number | null;
  /** What is kept on the disk of profiles that were opened; 0 keeps nothing. */
  readonly cacheLimitBytes: number;
  /** Rows of a query's result that are shown. */
  readonly queryMaximumRows: number;
  /** Where files of other machines lie here. */
  readonly sourcePathMap: PathMap;
  /** What tags are written with. */
  readonly tagKind: TagKind;
  /** Where runs are kept: absolute, or from the workspace folder. */
  readonly outputFolder: string;
  /** What records, where a task does not say. */
  readonly profiler: Profiler;
  /** What nsys captures, and options for it besides ours, where a task does not say. */
  readonly nsysCapture: string | undefined;
  readonly nsysOptions: string | undefined;
  /** How scripts are run at another place; null for none. */
  readonly launchTemplate: JsonFields | null;
  /** Commands that agents may run through the editor's server of the Model Context Protocol. */
  readonly allowedCommands: readonly string[];
  /** What is recorded, where a task does not say. */
  readonly recording: RecordingValues;
}

type EndOfLine = 'auto' | 'hot' | 'off';
export type HintLevel = 'hint' | 'information' | 'off';

export const section = 'gpuLens';

/** A page can be scrolled that far, and no more rows fit into the extension host's memory at ease. */
const mostQueryRows = 1_000_000;

/** The settings as they are now. Settings of a workspace's files may hold anything, so types are checked. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(section, scope);
  const text = (key: string) => {
    const value = configuration.get<unknown>(key);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const flag = (key: string, otherwise: boolean) => {
    const value = configuration.get<unknown>(key);
    return typeof value === 'boolean' ? value : otherwise;
  };
  // An object without members is the setting's default.
  const fields = (key: string) => {
    const value = configuration.get<unknown>(key);
    return isFields(value) && Object.keys(value).length > 0 ? value : null;
  };
  const count = (key: string, otherwise: number, least = 1) => {
    const value = configuration.get<unknown>(key);
    return Number.isSafeInteger(value) && (value as number) >= least ? (value as number) : otherwise;
  };
  const amount = (key: string, otherwise: number) => {
    const value = configuration.get<unknown>(key);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
  };
  const choice = <Choice extends string>(key: string, choices: readonly Choice[], otherwise: Choice) =>
    choices.find(one => one === configuration.get<unknown>(key)) ?? otherwise;
  const list = (key: string) => {
    const value = configuration.get<unknown>(key);
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  };
  const texts = (key: string) => textMembers(configuration.get<unknown>(key));
  return {
    profile: text('profile'),
    python: text('python'),
    nsys: text('nsys'),
    nsysLimitSeconds: amount('nsysLimitSeconds', usualSilenceSeconds),
    maximumUnpackedGB: count('maximumUnpackedGB', defaultUnpackedGB),
    opensSummary: flag('summary.open', true),
    codeLensEnabled: flag('codeLens.enabled', true),
    lineStyle: {
      per: choice<LinePer>('codeLens.per', linePers, 'step'),
      template: text('codeLens.template') ?? defaultLineTemplate,
    },
    lineRanks: choice<ShownRanks>('codeLens.ranks', shownRanks, 'mean'),
    predictFor: systemPreset(text('predictFor') ?? '')?.id ?? null,
    comparesRuns: flag('compareWithRunBefore', true),
    marksLines: flag('lineMarks.enabled', true),
    endOfLine: choice<EndOfLine>('endOfLineText', ['auto', 'hot', 'off'], 'auto'),
    hints: choice<HintLevel>('hints', ['hint', 'information', 'off'], 'hint'),
    memoryLimitBytes: amount('memoryLimitMB', 0) * 1e6 || null,
    cacheLimitBytes: amount('cacheLimitGB', 10) * 1e9,
    queryMaximumRows: Math.min(mostQueryRows, count('query.maximumRows', 100_000)),
    sourcePathMap: texts('sourcePathMap'),
    tagKind: choice('tagWith', tagKinds, 'record_function'),
    outputFolder: text('run.outputFolder') ?? usualOutputFolder,
    profiler: choice('run.profiler', profilers, 'pytorch'),
    nsysCapture: text('run.nsysCapture') ?? undefined,
    nsysOptions: text('run.nsysOptions') ?? undefined,
    launchTemplate: fields('run.launchTemplate'),
    allowedCommands: list('mcp.allowedCommands'),
    recording: {
      warmup: count('run.warmupSteps', 2),
      prewarm: count('run.prewarmSteps', 1, 0),
      active: count('run.activeSteps', 3),
      shapes: flag('run.recordShapes', true),
      stacks: flag('run.recordStacks', false),
      memory: flag('run.recordMemory', false),
      memoryHistory: flag('run.recordMemoryHistory', false),
      keepRunning: flag('run.keepRunning', false),
      automatic: choice('run.automatic', ['on', 'off'], 'on'),
    },
  };
}

/** What the settings allow the engine; what it keeps on the disk lies in the extension's storage. */
export function engineSettings(storage: vscode.Uri): EngineSettings {
  const {memoryLimitBytes, cacheLimitBytes, maximumUnpackedGB} = readSettings();
  const cache = cacheLimitBytes > 0 ? {folder: join(storage.fsPath, 'profiles'), limitBytes: cacheLimitBytes} : null;
  return {memoryLimitBytes, cache, unpackedLimit: unpackedLimit(maximumUnpackedGB, `${section}.maximumUnpackedGB`)};
}

/** The members of an object that are texts: what is kept in settings and memories may be anything. */
export function textMembers(value: unknown): Record<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
