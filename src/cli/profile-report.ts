import type {ProfileResult, RecordedProfile} from '../launch/run/profile-result.js';
import type {CommandContext} from './command.js';
import {formatRows, type Column} from './report.js';

/** The paths alone, one a line, where no other format was asked for. */
export function profilesText(profiles: readonly RecordedProfile[], {format}: CommandContext): string {
  return format === 'table' ? profiles.map(({path}) => `${path}\n`).join('') : formatRows(profiles, columns, format);
}

const columns: readonly Column<RecordedProfile>[] = [
  {key: 'path', title: 'Path', value: ({path}) => path},
  {key: 'kind', title: 'Kind', value: ({kind}) => kind},
  {key: 'steps', title: 'Steps', value: ({steps}) => steps},
  {key: 'rank', title: 'Rank', value: ({rank}) => rank},
];

/** Says how it went; returns whether the command went well and was recorded. */
export function tellOutcome(
  {status, profiles, isCancelled, sentences, notes}: ProfileResult,
  context: CommandContext,
): boolean {
  const isOk = status === 0 && !isCancelled && profiles.length > 0;
  for (const sentence of isOk ? [] : sentences) context.tell(`gpu-lens: ${sentence}`);
  if (!isOk && sentences.length === 0) context.tell('gpu-lens: The run was cancelled.');
  for (const sentence of [...(isOk ? sentences : []), ...notes]) context.tellNote(sentence);
  return isOk;
}
