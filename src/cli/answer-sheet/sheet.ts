import type {Summary} from '../../core/export/summary.js';
import type {AnswerCommand} from '../../core/findings/answers/answer-commands.js';

/** A report before it is written: what it says, and the commands that say it again. */
export interface Sheet {
  readonly summary: Summary;
  readonly commands: readonly AnswerCommand[];
  /** More tables, behind the commands on a page. */
  readonly more: Summary['tables'];
  /** Sentences for whoever runs the command. */
  readonly notes: readonly string[];
}
