import type {RangeStack} from '../attribution/range-stack.js';
import type {ReportScope} from '../scope/report-scope.js';
import type {ModuleClasses} from '../source/module-forward.js';
import type {Trace} from '../trace/trace.js';
import type {ReportDetails} from './report-details.js';

/** The data that reports are made from. */
export interface ReportSource {
  readonly trace: Trace;
  readonly details: ReportDetails;
  readonly scope: ReportScope;
  /** What reports of ranges count as ranges, and how they name them; the default if absent. */
  readonly stack?: RangeStack;
  /** Name of a kernel that torch.compile made → its lines, as `train.py:9`; absent if they were not recorded. */
  readonly kernelLines?: ReadonlyMap<string, readonly string[]>;
  /** Classes of modules, as recorded by the runner; absent if it recorded none. */
  readonly moduleClasses?: ModuleClasses;
  /** Other ranks of the same job, each in its own file: reports about ranks include them. */
  readonly otherRanks?: readonly ReportSource[];
}
