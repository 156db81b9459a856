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

/** How much the engine may take. */
export interface EngineSettings {
  /** What open traces may hold in memory together; null for a part of the machine's. */
  readonly memoryLimitBytes: number | null;
  /** Where traces are kept on the disk for the next opening, and how much; null for nowhere. */
  readonly cache: {readonly folder: string; readonly limitBytes: number} | null;
  /** How much a compressed file may unpack to; without one it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit;
}

/** A profile that was open in a process that died: the next one reads it again when it is asked for. */
export interface KeptProfile {
  readonly id: ProfileId;
  readonly path: string;
  /** Changes with the file. */
  readonly stamp: string;
}

/** What the engine's process is started with. */
export interface EngineStart {
  readonly settings: EngineSettings;
  readonly profiles: readonly KeptProfile[];
}

/** What everybody needs of a profile at once. */
export interface ProfileSummary extends TimelineSummary {
  readonly id: ProfileId;
  /** Changes with the file. */
  readonly stamp: string;
  readonly info: TraceInfo;
  /** With the GPU's time in them, as `stepSpans` has them. */
  readonly steps: readonly Step[];
  /** Those that it can be narrowed to; none where there is one. */
  readonly processes: readonly ProcessChoice[];
  readonly modules: ModulesShown;
  readonly job: JobPlace;
}

/** What of the runner's notes a table shows. */
export interface TableSidecar {
  /** Lines of compiled kernels. */
  readonly kernels?: readonly KernelSite[];
  readonly moduleClasses?: ModuleClasses;
}

export interface OpenProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  /** What was read so far, now and then; null where nothing new is to be drawn. */
  readonly picture: SketchPicture | null;
}

/** One side of a comparison: a profile, or a part of it. */
export interface ComparedProfile {
  readonly profile: ProfileId;
  readonly sidecar: ComparedRun['sidecar'];
  readonly selection: Selection;
}

/** What the extension host asks of the engine's process. Times are ns from the trace's origin. */
export interface EngineRequests
  extends
    ProfileQueries<{profile: ProfileId}>,
    TableQueries<{profile: ProfileId} & TableSidecar>,
    MemoryEngineRequests {
  /** Answered by whatever engine does not hang. */
  'engine/alive': {params: object; result: undefined};
  'engine/configure': {params: EngineSettings; result: undefined};
  /** The format of a file that is a profile, or a text with tables, for certain; null for any other. */
  'file/format': {params: {path: string}; result: string | null};
  'profile/open': {params: {path: string}; result: ProfileSummary; progress: OpenProgress};
  'profile/close': {params: {profile: ProfileId}; result: undefined};
  /** Writes a part of a profile to a file, which is there as a whole or not at all; answers what was left out. */
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
  /** Where the profile says that Inductor keeps its compiled graphs; null where it does not say. */
  'profile/compiled-graphs': {params: {profile: ProfileId}; result: CompiledGraphs | null};
  'range/places': {params: {profile: ProfileId; patterns: readonly NamePattern[]}; result: RangePlace | null};
  'ranges/names': {params: {profile: ProfileId}; result: RangeName[]};
  'ranges/tree': {
    /** `operators`: names of operators that are ranges as well. */
    params: {profile: ProfileId; of: TimingScope; operators?: readonly string[]};
    result: RangeTree;
  };
  /** What a hover tells of one line. */
  'lines/details': {
    params: {profile: ProfileId; patterns: readonly NamePattern[]; of: TimingScope};
    result: LineDetails;
  };
  /** One answer for all lines of a file. */
  'lines/timings': {
    params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]; of: TimingScope};
    result: LineTiming[];
  };
  /** What lines of a recording of the CPU would launch on a GPU; null where nothing can be predicted. */
  'lines/predicted': {
    params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]; system: string};
    result: readonly (PredictedLine | null)[] | null;
  };
  /** The work of what torch.compile made; null where it made nothing. */
  'lines/compiled': {
    params: {profile: ProfileId; of: Exclude<TimingScope, 'profile'>};
    result: CompiledRegions | null;
  };
  /** The work of kernels that torch.compile made, by their names. */
  'lines/kernels': {
    params: {profile: ProfileId; names: readonly string[]; of: TimingScope};
    result: KernelWorks;
  };
  /** The work of each call of what torch.compile made, by the names of its regions. */
  'lines/compiled-calls': {
    params: {profile: ProfileId; calls: readonly (readonly string[])[]; of: TimingScope};
    result: LineTiming[];
  };
  /** The lines of calls, of a trace of the line pass. */
  'lines/calls': {params: {profile: ProfileId; of: TimingScope}; result: readonly CallLine[]};
  /** What the profile measured of the mistakes that hints are about, in the ranges of each line. */
  'lines/stalls': {params: {profile: ProfileId; patterns: readonly (readonly NamePattern[])[]}; result: Stalls};
  /** GPU work by line of the user's Python files, and by class of modules, where the profile has stacks. */
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
  /** How the durations of a row's slices are spread; null where the selection has none. */
  'tables/durations': {
    params: {profile: ProfileId; row: TableTab['row']; name: string; selection: Selection; stack: RangeStack};
    result: RowDurations | null;
  };
  /** What launched the GPU operations of a row. */
  'tables/launches': {
    params: {profile: ProfileId; row: TableTab['row']; name: string; selection: Selection; stack: RangeStack};
    result: LaunchSource[];
  };
  /** What the profile would take if something were different. @see src/core/what-if */
  'what-if': {
    params: {profile: ProfileId; target?: WhatIfTarget};
    result: WhatIfPage;
    progress: {readonly part: number};
  };
  /** Two profiles side by side; what the runner wrote beside them tells whether they can be compared. */
  compare: {
    params: Readonly<Record<'base' | 'changed', ComparedProfile>>;
    result: RunComparison;
  };
  /** The flame graphs of two profiles as one. */
  'compare/flames': {
    params: Readonly<Record<'base' | 'changed', ComparedProfile>> & {
      readonly noise: RunNoise;
      readonly canJudge: boolean;
    };
    result: ComparedFlames;
  };
  /** Three profiles or more side by side. */
  'compare/many': {params: {runs: readonly ComparedProfile[]}; result: RunMatrix};
  /** What becomes of budgets; without a base, those of a change cannot be told. */
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
  /** The file of a rank, unpacked where it lies in a zip. */
  'job/file': {params: {place: RankPlace}; result: string};
}
