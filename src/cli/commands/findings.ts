import {join} from 'node:path';
import {severities, type Finding} from '../../core/findings/rules/finding.js';
import {withoutDismissed, type Dismissals} from '../../core/findings/dismissals.js';
import {nsysRules} from '../../core/findings/nsys/nsys-rules.js';
import {findIn, plainCell} from '../../core/findings/find.js';
import {noGpuWork} from '../../core/findings/findings-page.js';
import {TraceError} from '../../core/base/errors.js';
import type {Selection} from '../../core/scope/selection.js';
import {findingGains, isPredictable} from '../../core/what-if/finding-gains.js';
import {isFolder} from '../../importers/files/is-folder.js';
import {SqlClient} from '../../sql/client.js';
import type {SqlCell} from '../../sql/messages.js';
import {projectFile, readDismissals} from '../../sql/read-dismissals.js';
import {readOwnRules, usualRuleFolder} from '../../sql/own-rules.js';
import {chosenCapture} from '../capture-option.js';
import {selectedStatements, type Select} from '../../sql/selected-statement.js';
import {oneOf, textOption, UsageError, type Command} from '../command.js';
import {findingsText} from '../findings-output.js';
import {loadTrace, readableProfile, type ReadableProfile} from '../load-trace.js';
import {lossStatement, tellLossCell} from '../losses.js';
import {memoryLimit} from '../memory-option.js';
import {
  passOption,
  passUsage,
  refuseSelectionOfText,
  requireOriginOf,
  selectionOptions,
  selectionUsage,
  selectionWithPass,
} from '../selection.js';

/** The exit status for a finding of the severity of `--fail-on`, or for wrong evidence. */
const foundStatus = 3;
const noDismissals: Dismissals = {dismissed: [], problems: []};
const failOn = ['never', ...severities] as const;

/** `gpu-lens findings FILE`: what slows the GPU down, with the numbers and queries that prove it. */
export const findingsCommand: Command = {
  name: 'findings',
  brief: 'What slows the GPU down, with the evidence',
  readsProfiles: true,
  usage: `findings FILE [--verify] [--fail-on high|medium|low] [--rules FOLDER] [--nsys] [--all]\n      ${selectionUsage} ${passUsage}`,
  summary: 'what stands in the way of the GPU, what mending it can bring at most, and the SQL behind each number',
  options: {
    verify: {type: 'boolean'},
    'fail-on': {type: 'string'},
    rules: {type: 'string'},
    all: {type: 'boolean'},
    nsys: {type: 'boolean'},
    ...selectionOptions,
    ...passOption,
  },
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('findings needs one file.');
    const least = oneOf('fail-on', options['fail-on'], failOn, 'never');
    const own = await readOwnRules(await ruleFolder(textOption(options['rules'])));
    const selection = selectionWithPass(options);
    const select = await selectOf(file, selection);
    const found = await readableProfile(file, profile =>
      withClient(profile, async ask => {
        const rules = [...(options['nsys'] === true ? nsysRules : []), ...own.rules];
        const inProfile = await findIn(ask, rules, select.select);
        const [losses] = await ask([lossStatement]);
        return {...inProfile, losses};
      }),
    );
    tellLossCell(file, found.losses);
    const dismissals = options['all'] === true ? noDismissals : await readDismissals(projectFile);
    const {findings, hasGpuWork, notes} = withoutDismissed(found, dismissals);
    if (!hasGpuWork) context.tellNote(select.noWork);
    for (const note of [...own.problems, ...notes]) context.tellNote(note);
    context.write(findingsText(findings, await gainsOf(file, findings, selection), context.format));
    if (options['verify'] === true) {
      const wrong = await readableProfile(file, profile => wrongEvidence(findings, profile));
      for (const sentence of wrong) context.tell(`gpu-lens: ${sentence}`);
      if (wrong.length > 0) context.exitWith(foundStatus);
      else context.tell(`All ${String(evidenceOf(findings).length)} numbers were recomputed, and are the same.`);
    }
    if (least !== 'never' && findings.some(({severity}) => severities.indexOf(severity) <= severities.indexOf(least))) {
      context.exitWith(foundStatus);
    }
  },
};

/** Returns the folder of rules. Only the usual one may be missing. @throws TraceError `file/missing` */
async function ruleFolder(named: string | null): Promise<string> {
  if (named === null) return usualRuleFolder;
  if (await isFolder(named)) return named;
  throw new TraceError('file/missing', `--rules ${named} is not a folder.`);
}

/**
 * Returns how to limit statements to the selection, and a message if it has no GPU work. @throws TraceError; UsageError
 */
async function selectOf(file: string, selection: Selection): Promise<{select: Select; noWork: string}> {
  if (Object.keys(selection).length === 0) return {select: statement => statement, noWork: noGpuWork()};
  const trace = await loadTrace(file);
  refuseSelectionOfText(trace, selection);
  requireOriginOf(trace, selection);
  return {
    select: selectedStatements(trace, selection),
    noWork: 'The selection has no GPU work, which most rules need.',
  };
}

/**
 * Returns the predicted gain of fixing each finding. Nothing is predicted for a part of a profile. @throws TraceError
 */
async function gainsOf(
  file: string,
  findings: readonly Finding[],
  selection: Selection,
): Promise<readonly (number | null)[]> {
  if (Object.keys(selection).length > 0 || !findings.some(isPredictable)) return [];
  return findingGains(await loadTrace(file), findings);
}

const evidenceOf = (findings: readonly Finding[]) => findings.flatMap(({evidence}) => evidence);

/** Returns a sentence for each number that differs when its query runs in a new process, which reads the file again. */
async function wrongEvidence(findings: readonly Finding[], profile: ReadableProfile): Promise<string[]> {
  const evidence = evidenceOf(findings);
  if (evidence.length === 0) return [];
  const cells = await withClient(profile, ask => ask(evidence.map(({query}) => query)));
  return evidence.flatMap(({text, value}, at) => {
    const again = plainCell(cells[at]);
    return again === value ? [] : [`“${text}” is ${String(value)}, but its query gives ${String(again)}.`];
  });
}

/** Returns the result of `act` on the profile. All queries run in one process. */
async function withClient<T>(
  {path, unpackedLimit, signal, tell}: ReadableProfile,
  act: (ask: (statements: readonly string[], limitMs?: number) => Promise<readonly SqlCell[]>) => Promise<T>,
): Promise<T> {
  const client = new SqlClient(join(__dirname, 'sql.cjs'));
  const source = {
    path,
    unpackedLimit,
    memoryLimit: memoryLimit(),
    capture: chosenCapture(),
    cache: null,
    cacheProgram: null,
  };
  try {
    return await act((statements, limitMs) =>
      client.cells(source, statements, {
        signal,
        ...(limitMs !== undefined && {limitMs}),
        onProgress: ({step, fraction}) => {
          tell(`${step === 'run' ? 'Looking' : 'Reading'} ${String(Math.floor(100 * fraction))} %`);
        },
      }),
    );
  } finally {
    tell('\u001b[K');
    client.dispose();
  }
}
