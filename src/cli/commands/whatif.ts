import {changeKinds, looksLikeChange, parseChange} from '../../core/what-if/changes/parse-change.js';
import type {Change} from '../../core/what-if/changes/change.js';
import {needsShapes} from '../../core/what-if/changes/at-roof.js';
import {canBeMade} from '../../core/what-if/record/track-record.js';
import type {OperatorShapes} from '../../core/figures/operator-inputs.js';
import {presetNamed} from '../../core/what-if/changes/kernel-types.js';
import {whatIf, type WhatIfAnswer} from '../../core/what-if/what-if.js';
import {systemPresets, type SystemPreset} from '../../core/estimate/system-presets.js';
import {isCpuRecording} from '../../core/predicted-gpu/predict-gpu.js';
import {predictedStep} from '../../core/predicted-gpu/predicted-step.js';
import type {Trace, TraceNote} from '../../core/trace/trace.js';
import {loadReportDetails} from '../../importers/report-details.js';
import {textOption, UsageError, type Command, type CommandContext, type OptionValues} from '../command.js';
import {loadProfile} from '../load-trace.js';
import {predictedStepText} from '../predicted-step-output.js';
import {selectionOf} from '../selection.js';
import {findSources} from '../sources.js';
import {keepAndTell, printRecord} from '../track-record.js';
import {whatIfText} from '../whatif-output.js';

/** `gpu-lens whatif FILE`: what a step would take if something were different. */
export const whatIfCommand: Command = {
  name: 'whatif',
  brief: 'What a step would take if something were different',
  readsProfiles: true,
  usage: `whatif FILE [--step N] [--replay | --apply CHANGE…] [--system NAME] [--no-keep]\n      whatif --record [--output FOLDER]\n      CHANGE: ${changeKinds.map(({usage}) => usage).join(', ')}`,
  summary: `What a step would take if something were different, from a replay of the profile, and its critical path.
      --system predicts a recording of the CPU for a GPU, line by line, and moves a profile of a GPU to another one:
      ${systemPresets.map(({id}) => id).join(', ')}.
      A prediction of a recorded run is kept with it, unless --no-keep is given. --record shows those of all runs in FOLDER,
      each beside the later run that has the change.`,
  options: {
    step: {type: 'string'},
    replay: {type: 'boolean'},
    apply: {type: 'string', multiple: true},
    system: {type: 'string'},
    record: {type: 'boolean'},
    output: {type: 'string', short: 'o'},
    'no-keep': {type: 'boolean'},
  },
  async run(context, words, options) {
    if (options['record'] !== true) {
      await predict(context, words, options);
      return;
    }
    if (words.length > 0) throw new UsageError('--record takes no file.');
    await printRecord(context, textOption(options['output']) ?? undefined);
  },
};

async function predict(context: CommandContext, words: readonly string[], options: OptionValues): Promise<void> {
  const {file, changes} = askedFor(words, options);
  const {step = null} = selectionOf({step: options['step']});
  const system = systemNamed(textOption(options['system']));
  const profile = await loadProfile(file);
  const {trace} = profile;
  const tell = ({notes}: WhatIfAnswer) => {
    if (context.format === 'csv') for (const {text} of notes) context.tellNote(text);
  };
  if (system && options['replay'] === true)
    throw new UsageError('--replay replays the profile as it is, without --system.');
  if (system && isCpuRecording(trace)) {
    if (changes.some(({text}) => text.startsWith('gpu=')))
      throw new UsageError('--system names the GPU: leave gpu= out.');
    const {allShapes: shapes} = await loadReportDetails(profile.path, trace, new Set(['allShapes']));
    const sources = await findSources(file, profile, null);
    const choice = {step, automatic: [...sources.automatic.keys()], changes};
    const answer = predictedStep(trace, shapes ?? new Map(), system, choice);
    context.write(predictedStepText(answer, sources.placeOf, context.format));
    tell(answer);
    return;
  }
  const all = system ? [...changes, changeOf(`gpu=${system.id}`)] : changes;
  const predicted = whatIf(trace, step, all, await shapesFor(all, profile));
  const answer = {
    ...predicted,
    notes: [...predicted.notes, ...(await recordOf(file, all, predicted, options))],
  };
  context.write(whatIfText(answer, all.length > 0, context.format));
  tell(answer);
}

/** Returns the shapes of operators, if a change needs them: reading them takes as long as opening the profile. */
async function shapesFor(
  changes: readonly Change[],
  {path, trace}: {readonly path: string; readonly trace: Trace},
): Promise<OperatorShapes | null> {
  if (!changes.some(({text}) => needsShapes(text))) return null;
  return (await loadReportDetails(path, trace, new Set(['shapes']))).shapes ?? null;
}

/**
 * Keeps a prediction, unless it is of one step, which has no later step to compare with. A report is in its run's
 * folder, its export elsewhere.
 */
async function recordOf(
  path: string,
  changes: readonly Change[],
  predicted: WhatIfAnswer,
  {step, 'no-keep': isOut}: OptionValues,
): Promise<TraceNote[]> {
  const isKept = isOut !== true && step === undefined && changes.every(({text}) => canBeMade(text));
  return !isKept || changes.length === 0 ? [] : keepAndTell(path, changes, predicted);
}

/** @throws UsageError for an unknown GPU */
function systemNamed(name: string | null): SystemPreset | null {
  if (name === null) return null;
  const preset = presetNamed(name);
  if (preset) return preset;
  throw new UsageError(`--system takes ${systemPresets.map(({id}) => id).join(', ')}; not "${name}".`);
}

/**
 * The file and the changes of a command line. Further changes after `--apply` are among the files. @throws UsageError
 */
function askedFor(words: readonly string[], options: OptionValues): {file: string; changes: Change[]} {
  const asked = textOption(options['apply'])?.split('\n') ?? [];
  if (asked.length > 0 && options['replay'] === true) throw new UsageError('--replay takes no changes.');
  const isChange = (word: string) => asked.length > 0 && looksLikeChange(word);
  const [file, other] = words.filter(word => !isChange(word));
  // An unknown change is reported as such.
  if (other !== undefined && asked.length > 0) changeOf(other);
  if (file === undefined || other !== undefined) throw new UsageError('whatif needs one file.');
  return {file, changes: [...asked, ...words.filter(isChange)].map(changeOf)};
}

/** @throws UsageError */
function changeOf(text: string): Change {
  const change = parseChange(text);
  if (typeof change === 'string') throw new UsageError(change);
  return change;
}
