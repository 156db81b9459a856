import type {BudgetResult, WrittenBudget} from '../core/compare/check-budgets.js';
import type {ComparedRun} from '../core/compare/comparability.js';
import type {ComparedFlames} from '../core/compare/compare-flames.js';
import type {RunComparison} from '../core/compare/run-comparison.js';
import type {RunMatrix} from '../core/compare/run-matrix.js';
import type {RunNoise} from '../core/compare/run-noise.js';
import type {NamesWritten} from '../core/export/without-names.js';
import type {RankPlace} from '../core/job/job-rank.js';
import type {PlacedJob} from '../core/job/job-view.js';
import type {CallLine} from '../core/lines/call-lines.js';
import type {CompiledGraphs} from '../core/questions/compiled-graphs.js';
import type {CompiledRegions} from '../core/lines/compiled-regions.js';
import type {Selection} from '../core/scope/selection.js';
import type {TraceInfo} from '../core/questions/info.js';
import type {RangeStack} from '../core/attribution/range-stack.js';
import type {LaunchSource} from '../core/questions/launch-sources.js';
import type {KernelWorks} from '../core/lines/kernel-works.js';
import type {LineDetails} from '../core/lines/line-details.js';
import type {LineTiming} from '../core/lines/line-timings.js';
import type {TimingScope} from '../core/scope/timing-scope.js';
import type {ModulesShown} from '../core/figures/modules-shown.js';
import type {JobPlace} from '../core/figures/other-ranks.js';
import type {ProcessChoice} from '../core/scope/processes.js';
import type {RangeTree} from '../core/questions/range-tree.js';
import type {RangeName} from '../core/questions/range-names.js';
import type {RangePlace} from '../core/figures/range-places.js';
import type {SketchPicture} from '../core/questions/trace-sketch.js';
import type {SourceLines} from '../core/lines/source-lines.js';
import type {PredictedLine} from '../core/predicted-gpu/predicted-lines.js';
import type {Stalls} from '../core/lines/stalls.js';
import type {Step} from '../core/scope/steps.js';
import type {WhatIfTarget} from '../core/what-if/asked-changes.js';
import type {WhatIfPage} from '../core/what-if/what-if-page.js';
import type {TimelineSummary} from '../core/layout/timeline-summary.js';
import type {UnpackedLimit} from '../core/trace/unpacked-limit.js';
import type {ReportFormat} from '../core/reports/report-text.js';
import type {RowDurations} from '../core/tabs/row-durations.js';
import type {RowPlace} from '../core/tabs/row-place.js';
import type {TableQuery} from '../core/tabs/table-page.js';
import type {TableTab} from '../core/tabs/tab-list.js';
import type {ModuleClasses} from '../core/source/module-forward.js';
import type {NamePattern} from '../core/names/name-pattern.js';
import type {KernelSite} from '../core/source/sidecar.js';
import type {MemoryEngineRequests} from './memory-messages.js';
import type {ProfileQueries, TableQueries} from './profile-messages.js';

/** A trace that the engine holds. */
export type ProfileId = number;

/** The engine's limits. */
export interface EngineSettings {
  /** The most memory of all open traces together; null for a fraction of the machine's memory. */
  readonly memoryLimitBytes: number | null;
  /** The folder in which traces are cached, and the cache's limit; null for no cache. */
  readonly cache: {readonly folder: string; readonly limitBytes: number} | null;
  /** The largest size of an unpacked file; without a limit, files are unpacked completely. */
  readonly unpackedLimit?: UnpackedLimit;
}

/** A profile that was open in a process that died. The next process reads it again when it is needed. */
export interface KeptProfile {
  readonly id: ProfileId;
  readonly path: string;
  /** Changes with the file. */
  readonly stamp: string;
}

/** The start parameters of the engine's process. */
export interface EngineStart {
  readonly settings: EngineSettings;
  readonly profiles: readonly KeptProfile[];
  /** The translations of what the engine says, by their English text; none in English. */
  readonly words?: Readonly<Record<string, string>> | undefined;
}

/** Facts about a profile that every view needs at once. */
export interface ProfileSummary extends TimelineSummary {
  readonly id: ProfileId;
  /** Changes with the file. */
  readonly stamp: string;
  readonly info: TraceInfo;
  /** The steps with their GPU time, as `stepSpans` returns them. */
  readonly steps: readonly Step[];
  /** The processes that it can be narrowed to; empty if there is only one. */
  readonly processes: readonly ProcessChoice[];
  readonly modules: ModulesShown;
  readonly job: JobPlace;
  /** Whether a part of it can be saved with everything that its file tells of an event. */
  readonly copiesParts: boolean;
}

/** The runner's notes that a table shows. */
export interface TableSidecar {
  /** Lines of compiled kernels. */
  readonly kernels?: readonly KernelSite[];
  readonly moduleClasses?: ModuleClasses;
}

export interface OpenProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  /** A picture of what was read so far, now and then; null if there is nothing new to draw. */
  readonly picture: SketchPicture | null;
}

/** One side of a comparison: a profile, or a part of it. */
export interface ComparedProfile {
  readonly profile: ProfileId;
  readonly sidecar: ComparedRun['sidecar'];
  readonly selection: Selection;
}

/** Requests from the extension host to the engine's process. Times are ns from the trace's origin. */
export interface EngineRequests
  extends
    ProfileQueries<{profile: ProfileId}>,
    TableQueries<{profile: ProfileId} & TableSidecar>,
    MemoryEngineRequests {
  /** Every engine that does not hang answers this. */
  'engine/alive': {params: object; result: undefined};
  'engine/configure': {params: EngineSettings; result: undefined};
  /** The format of a file if it is certainly a profile or a text with tables; else null. */
  'file/format': {params: {path: string}; result: string | null};
  'profile/open': {params: {path: string}; result: ProfileSummary; progress: OpenProgress};
  'profile/close': {params: {profile: ProfileId}; result: undefined};
  /** Writes a part of a profile to a file, completely or not at all. Returns what was left out. */
  'profile/save-part': {
    params: {
      profile: ProfileId;
      selection: Selection;
      to: 'pytorch' | 'perfetto';
      names: NamesWritten;
      output: string;
    };
    result: readonly string[];
    progress: {readonly part: number};
  };
  /** The folder of Inductor's compiled graphs, according to the profile; null if the profile does not name it. */
  'profile/compiled-graphs': {params: {profile: ProfileId}; result: CompiledGraphs | null};
  'range/places': {params: {profile: ProfileId; patterns: readonly NamePattern[]}; result: RangePlace | null};
  'ranges/names': {params: {profile: ProfileId}; result: RangeName[]};
  'ranges/tree': {
    /** `operators`: names of operators that count as ranges, too. */
    params: {profile: ProfileId; of: TimingScope; operators?: readonly string[]};
    result: RangeTree;
  };
  /** The contents of a hover on one line. */
  'lines/details': {
    params: {profile: ProfileId; patterns: readonly NamePattern[]; of: TimingScope};
    result: LineDetails;
  };
  /** One result for all lines of a file. */
  'lines/timings': {
    params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]; of: TimingScope};
    result: LineTiming[];
  };
  /** The predicted GPU work of lines, for a recording of the CPU; null if nothing can be predicted. */
  'lines/predicted': {
    params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]; system: string};
    result: readonly (PredictedLine | null)[] | null;
  };
  /** The work of code that torch.compile made; null if there is none. */
  'lines/compiled': {
    params: {profile: ProfileId; of: Exclude<TimingScope, 'profile'>};
    result: CompiledRegions | null;
  };
  /** The work of kernels that torch.compile made, by their names. */
  'lines/kernels': {
    params: {profile: ProfileId; names: readonly string[]; of: TimingScope};
    result: KernelWorks;
  };
  /** The work of each call of compiled code, by the names of its regions. */
  'lines/compiled-calls': {
    params: {profile: ProfileId; calls: readonly (readonly string[])[]; of: TimingScope};
    result: LineTiming[];
  };
  /** The lines of calls, of a trace of the line pass. */
  'lines/calls': {params: {profile: ProfileId; of: TimingScope}; result: readonly CallLine[]};
  /** What the mistakes that hints warn about cost, as measured in the ranges of each line. */
  'lines/stalls': {params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]}; result: Stalls};
  /** GPU work by line of the user's Python files, and by module class, if the profile has stacks. */
  lines: {params: {profile: ProfileId; of: TimingScope; classes?: ModuleClasses}; result: SourceLines};
  /** All rows that the query keeps, as text. */
  'tables/text': {
    params: {profile: ProfileId; query: TableQuery; format: ReportFormat} & TableSidecar;
    result: string;
  };
  'tables/place': {
    params: {profile: ProfileId; row: TableTab['row']; name: string; selection: Selection; stack: RangeStack};
    result: RowPlace | null;
  };
  /** The distribution of the durations of a row's slices; null if the selection has none. */
  'tables/durations': {
    params: {profile: ProfileId; row: TableTab['row']; name: string; selection: Selection; stack: RangeStack};
    result: RowDurations | null;
  };
  /** What launched the GPU operations of a row. */
  'tables/launches': {
    params: {profile: ProfileId; row: TableTab['row']; name: string; selection: Selection; stack: RangeStack};
    result: LaunchSource[];
  };
  /** How long the profile would take after a change. @see src/core/what-if */
  'what-if': {
    params: {profile: ProfileId; target?: WhatIfTarget};
    result: WhatIfPage;
    progress: {readonly part: number};
  };
  /** A comparison of two profiles. The runner's sidecars tell whether they can be compared. */
  compare: {
    params: Readonly<Record<'base' | 'changed', ComparedProfile>>;
    result: RunComparison;
  };
  /**
   * The same with operators matched by the shapes of their inputs too, for which the files are read again; null if a
   * profile has none.
   */
  'compare/shapes': {
    params: Readonly<Record<'base' | 'changed', ComparedProfile>>;
    result: RunComparison | null;
  };
  /** The flame graphs of two profiles as one. */
  'compare/flames': {
    params: Readonly<Record<'base' | 'changed', ComparedProfile>> & {
      readonly noise: RunNoise;
      readonly canJudge: boolean;
    };
    result: ComparedFlames;
  };
  /** A comparison of three or more profiles. */
  'compare/many': {params: {runs: readonly ComparedProfile[]}; result: RunMatrix};
  /** Whether budgets hold. Without a base, budgets that limit a change cannot be checked. */
  budgets: {
    params: {budgets: readonly WrittenBudget[]; run: ComparedProfile; base: ComparedProfile | null};
    result: BudgetResult[];
  };
  /** The ranks in some files, folders and zips as one job; `exports` has what reports of Nsight Systems were exported to. */
  job: {
    params: {paths: readonly string[]; exports: Readonly<Record<string, string>>};
    result: PlacedJob;
    progress: {progress: string};
  };
  /** The file of a rank, unpacked if it is in a zip. */
  'job/file': {params: {place: RankPlace}; result: string};
}
