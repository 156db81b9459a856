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

/** The settings of GPU Lens, which are read only here. */
export interface Settings {
  /** The profile to open at start, null for none. */
  readonly profile: string | null;
  readonly python: string | null;
  readonly nsys: string | null;
  /** How long nsys may neither write nor end, in s; 0 for no limit. */
  readonly nsysLimitSeconds: number;
  /** The most GB that a compressed profile may unpack to. */
  readonly maximumUnpackedGB: number;
  /** Whether opening a profile also shows its summary. */
  readonly opensSummary: boolean;
  readonly codeLensEnabled: boolean;
  /** How a line's figures are shown. */
  readonly lineStyle: LineStyle;
  /** Which figure over a job's ranks is shown above a line. */
  readonly lineRanks: ShownRanks;
  /** The GPU for which lines of a CPU recording are predicted; null for none. */
  readonly predictFor: string | null;
  /** Whether hot lines have marks in the gutter, a border and marks in the overview ruler. */
  readonly marksLines: boolean;
  /** Whether lines are compared with the previous run. */
  readonly comparesRuns: boolean;
  /** Which lines have text at their end: those without CodeLens, also hot ones, or none. */
  readonly endOfLine: EndOfLine;
  /** How mistakes measured by the profile are shown. */
  readonly hints: HintLevel;
  /** The most memory for all open profiles; null for a part of the machine's. */
  readonly memoryLimitBytes: number | null;
  /** The most disk space for the cache of opened profiles; 0 disables it. */
  readonly cacheLimitBytes: number;
  /** The most rows of a query's result that are shown. */
  readonly queryMaximumRows: number;
  /** Maps paths of other machines to local paths. */
  readonly sourcePathMap: PathMap;
  /** The library with which tags are written. */
  readonly tagKind: TagKind;
  /** The folder in which runs are saved: absolute, or relative to the workspace folder. */
  readonly outputFolder: string;
  /** The default profiler of tasks. */
  readonly profiler: Profiler;
  /** Defaults of tasks: what nsys captures, and additional nsys options. */
  readonly nsysCapture: string;
  readonly nsysOptions: string | undefined;
  /** How scripts are run elsewhere; null to run them here. */
  readonly launchTemplate: JsonFields | null;
  /** Commands that agents may run through the Model Context Protocol server. */
  readonly allowedCommands: readonly string[];
  /** Default recording options of tasks. */
  readonly recording: RecordingValues;
}

type EndOfLine = 'auto' | 'hot' | 'off';
export type HintLevel = 'hint' | 'information' | 'off';

export const section = 'gpuLens';

/** The page can scroll this many rows, and they fit well into the extension host's memory. */
const mostQueryRows = 1_000_000;

/** Returns the current settings. A workspace's settings may hold anything, so types are checked. */
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
  // The setting's default is an object without members.
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
    nsysCapture: text('run.nsysCapture') ?? 'run',
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

/** Returns the engine's settings; its cache is in the extension's storage. */
export function engineSettings(storage: vscode.Uri): EngineSettings {
  const {memoryLimitBytes, cacheLimitBytes, maximumUnpackedGB} = readSettings();
  const cache = cacheLimitBytes > 0 ? {folder: join(storage.fsPath, 'profiles'), limitBytes: cacheLimitBytes} : null;
  return {memoryLimitBytes, cache, unpackedLimit: unpackedLimit(maximumUnpackedGB, `${section}.maximumUnpackedGB`)};
}

/** Returns the members of an untrusted object that are strings. */
export function textMembers(value: unknown): Record<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
