import {basename} from 'node:path';
import {answerCommands} from '../../core/findings/answers/answer-commands.js';
import {answerTables} from '../../core/findings/answers/answer-tables.js';
import {findingTable} from '../../core/findings/finding-table.js';
import {flameGraph} from '../../core/questions/flame.js';
import {isText} from '../../core/trace/text-table.js';
import {flameQueryOf, queryOfProfile} from '../flame-query.js';
import {loadProfile} from '../load-trace.js';
import {profileSummary} from '../profile-summary.js';
import {askProfile, type Asking} from './ask-profile.js';
import type {Sheet} from './sheet.js';

/** The answer sheet of one profile, or of a text with tables. @throws TraceError */
export async function profileSheet(file: string, asking: Asking): Promise<Sheet> {
  const profile = await loadProfile(file);
  const isPrinted = isText(profile.trace);
  const {answers, findings, notes} = await askProfile(file, isPrinted, asking);
  const graph = isPrinted
    ? null
    : flameGraph(profile.trace, queryOfProfile(profile.trace, flameQueryOf({}), undefined));
  const summary = await profileSummary(profile, graph, {}, basename(file));
  return {
    summary: {
      ...summary,
      title: `Report on ${basename(file)}`,
      tables: [findingTable(findings), ...answerTables(answers)],
    },
    commands: answerCommands(answers, basename(file)),
    more: summary.tables,
    notes,
  };
}
