import {join, resolve} from 'node:path';
import type {Proof, ProofVerdict} from '../../core/prove/proof.js';
import {isPythonScript} from '../../launch/python/launchers.js';
import {findPython} from '../../launch/python/python-interpreter.js';
import {withKeptProof} from '../../launch/prove/keep-proof.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {prove, type ProofRequest} from '../../launch/prove/prove.js';
import {textOption, UsageError, type Command, type OptionValues} from '../command.js';
import {proofText} from '../proof-output.js';
import {runEnvironment} from '../run-environment.js';
import {untilStopped} from '../until-stopped.js';

const statuses: Readonly<Record<ProofVerdict, number>> = {
  proven: 0,
  worse: 3,
  'not the same work': 3,
  'not proven': 4,
};
const usualBudgetSeconds = 300;
const usualTolerance = 1e-3;

/** `gpu-lens prove BASE CHANGED -- COMMAND …`: whether a change is faster at the same work. */
export const proveCommand: Command = {
  name: 'prove',
  brief: 'Whether a commit is faster than another, at the same work',
  usage: `prove BASE CHANGED [--same module:function] [--tolerance PART] [--budget SECONDS] [--python PYTHON] [--label TEXT] -- COMMAND …`,
  summary: `runs a command at two git commits in turn, in two temporary worktrees, and says whether CHANGED is faster at
      the same work. --same names a function of BASE whose result must be the same within PART (${String(usualTolerance)}) of its
      largest number; without it, results must be the same bit for bit. Exit status: 0 proven, 3 worse or not the
      same work, 4 not proven within SECONDS (${String(usualBudgetSeconds)}). The worktrees are no sandbox: both commits' code runs.
      --label keeps the verdict in the list of runs.`,
  options: {
    same: {type: 'string'},
    tolerance: {type: 'string'},
    budget: {type: 'string'},
    python: {type: 'string'},
    label: {type: 'string'},
  },
  async run(context, [base, changed, ...command], options) {
    const request = await proofRequest(base, changed, command, options);
    const make = (): Promise<Proof> =>
      untilStopped(signal =>
        prove(request, {
          runner: join(__dirname, '..', 'src', 'runner'),
          signal,
          onProgress: text => {
            context.tellProgress(`gpu-lens: ${text}`);
          },
        }),
      );
    const label = textOption(options['label']);
    const proof = await (label === null
      ? make()
      : withKeptProof(request, resolve(usualOutputFolder), label, make, reason => {
          context.tellNote(`The verdict could not be saved in the list of runs: ${reason}`);
        }));
    context.write(proofText(proof, context.format));
    context.exitWith(statuses[proof.verdict]);
  },
};

/** @throws UsageError; TraceError `launch/no-python` */
async function proofRequest(
  base: string | undefined,
  changed: string | undefined,
  command: readonly string[],
  options: OptionValues,
): Promise<ProofRequest> {
  const [program, ...args] = command;
  if (base === undefined || changed === undefined || program === undefined) {
    throw new UsageError('prove needs two commits and a command: BASE CHANGED -- COMMAND.');
  }
  const cwd = process.cwd();
  const setting = textOption(options['python']);
  const python = async () =>
    (await findPython({selected: null, setting, settingName: '--python', workspaceFolders: [cwd]})).path;
  return {
    base,
    changed,
    command: isPythonScript(program) ? [await python(), program, ...args] : [program, ...args],
    cwd,
    env: runEnvironment(setting),
    same: sameOf(textOption(options['same'])),
    tolerance: positive('tolerance', options, usualTolerance),
    budgetMs: Math.min(longestBudgetMs, Math.ceil(1000 * positive('budget', options, usualBudgetSeconds))),
  };
}

/** The most that a timer can hold; it takes whole milliseconds. */
const longestBudgetMs = 2 ** 31 - 1;

/** @throws UsageError */
function sameOf(value: string | null): ProofRequest['same'] {
  if (value === null) return null;
  const [, module, name] =
    /^([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*):([\p{L}_][\p{L}\p{N}_.]*)$/u.exec(value) ?? [];
  if (module === undefined || name === undefined) throw new UsageError(`--same takes module:function, not "${value}".`);
  return {module, name};
}

/** @throws UsageError */
function positive(option: string, options: OptionValues, otherwise: number): number {
  const value = options[option];
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (typeof value === 'string' && value.trim() !== '' && number > 0 && Number.isFinite(number)) return number;
  throw new UsageError(`--${option} takes a number above 0, not "${String(value)}".`);
}
