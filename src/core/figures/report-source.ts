import type {RangeStack} from '../attribution/range-stack.js';
import type {ReportScope} from '../scope/report-scope.js';
import type {ModuleClasses} from '../source/module-forward.js';
import type {Trace} from '../trace/trace.js';
import type {ReportDetails} from './report-details.js';

/** What reports are made from. */
export interface ReportSource {
  readonly trace: Trace;
  readonly details: ReportDetails;
  readonly scope: ReportScope;
  /** What reports of ranges take for ranges, and how they call them; as usual where absent. */
  readonly stack?: RangeStack;
  /** Name of a kernel that torch.compile made → its lines, as `train.py:9`; none where nobody noted them. */
  readonly kernelLines?: ReadonlyMap<string, readonly string[]>;
  /** Classes of modules, as the runner noted them; none where it did not. */
  readonly moduleClasses?: ModuleClasses;
  /** Other ranks of the same job, each in a file of its own: reports about ranks have them too. */
  readonly otherRanks?: readonly ReportSource[];
}
