import type {Command} from './command.js';
import {benchCommand} from './commands/bench.js';
import {compareCommand} from './commands/compare.js';
import {criticalPathCommand} from './commands/critical-path.js';
import {crossCheckCommand} from './commands/cross-check.js';
import {doctorCommand} from './commands/doctor.js';
import {estimateCommand} from './commands/estimate.js';
import {exportCommand} from './commands/export.js';
import {findingsCommand} from './commands/findings.js';
import {flameCommand} from './commands/flame.js';
import {infoCommand} from './commands/info.js';
import {jobCommand} from './commands/job.js';
import {mcpCommand} from './commands/mcp.js';
import {memoryCommand} from './commands/memory.js';
import {profileCommand} from './commands/profile.js';
import {proveCommand} from './commands/prove.js';
import {queryCommand} from './commands/query.js';
import {rangesCommand} from './commands/ranges.js';
import {reportCommand} from './commands/report.js';
import {runsCommand} from './commands/runs.js';
import {statsCommand} from './commands/stats.js';
import {summarizeCommand} from './commands/summarize.js';
import {triggerCommand} from './commands/trigger.js';
import {whatIfCommand} from './commands/whatif.js';

/** The commands, in the order of the help; `completion`, which completes them, comes after them. */
export const ownCommands: readonly Command[] = [
  infoCommand,
  rangesCommand,
  statsCommand,
  flameCommand,
  compareCommand,
  runsCommand,
  jobCommand,
  summarizeCommand,
  findingsCommand,
  reportCommand,
  exportCommand,
  queryCommand,
  memoryCommand,
  mcpCommand,
  whatIfCommand,
  criticalPathCommand,
  profileCommand,
  proveCommand,
  triggerCommand,
  crossCheckCommand,
  doctorCommand,
  estimateCommand,
  benchCommand,
];
