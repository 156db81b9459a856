import type {Summary} from '../../core/export/summary.js';
import type {AnswerCommand} from '../../core/findings/answers/answer-commands.js';

/** A report before it is written: its contents, and the commands that produce them again. */
export interface Sheet {
  readonly summary: Summary;
  readonly commands: readonly AnswerCommand[];
  /** Further tables; on a page, they follow the commands. */
  readonly more: Summary['tables'];
  /** Messages to the user of the command. */
  readonly notes: readonly string[];
}
