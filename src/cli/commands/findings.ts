import {join} from 'node:path';
import {severities, type Finding} from '../../core/findings/finding.js';
import {factQueries, find} from '../../core/findings/find.js';
import {gpuWork} from '../../core/findings/idle-sql.js';
import {SqlClient} from '../../sql/client.js';
import type {SqlCell} from '../../sql/messages.js';
import {oneOf, UsageError, type Command} from '../command.js';
import {findingsText} from '../findings-output.js';
import {readableProfile, type ReadableProfile} from '../load-trace.js';
import {memoryLimit} from '../memory-option.js';

/** A finding that was to fail the command, or evidence that does not hold. */
const foundStatus = 3;
const failOn = ['never', ...severities] as const;

/** `gpu-lens findings FILE`: what stands in the way, with the numbers and queries that say so. */
export const findingsCommand: Command = {
  name: 'findings',
  usage: 'findings FILE [--verify] [--fail-on high|medium|low]',
  summary: 'what stands in the way of the GPU, what mending it can bring at most, and the SQL behind each number',
  options: {verify: {type: 'boolean'}, 'fail-on': {type: 'string'}},
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('findings needs one file.');
    const least = oneOf('fail-on', options['fail-on'], failOn, 'never');
    const {findings, hasGpuWork} = await readableProfile(file, findingsOf);
    if (!hasGpuWork) context.tell('Note: There is no GPU work in this profile: most rules look at it.');
    context.write(findingsText(findings, context.format));
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

async function findingsOf(profile: ReadableProfile): Promise<{findings: Finding[]; hasGpuWork: boolean}> {
  const queries = factQueries();
  const cells = await cellsOf(queries, profile);
  const answers = new Map(queries.map((sql, at) => [sql, plain(cells[at])]));
  return {findings: find(answers), hasGpuWork: answers.get(gpuWork) !== 0};
}

const evidenceOf = (findings: readonly Finding[]) => findings.flatMap(({evidence}) => evidence);

/** A sentence for each number that its query does not give in a process of its own, which reads the file again. */
async function wrongEvidence(findings: readonly Finding[], profile: ReadableProfile): Promise<string[]> {
  const evidence = evidenceOf(findings);
  const cells = await cellsOf(
    evidence.map(({query}) => query),
    profile,
  );
  return evidence.flatMap(({text, value}, at) => {
    const again = plain(cells[at]);
    return again === value ? [] : [`“${text}” is ${String(value)}, but its query gives ${String(again)}.`];
  });
}

async function cellsOf(
  statements: readonly string[],
  {path, unpackedLimit, signal, tell}: ReadableProfile,
): Promise<readonly SqlCell[]> {
  if (statements.length === 0) return [];
  const client = new SqlClient(join(__dirname, 'sql.cjs'));
  try {
    return await client.cells(
      {path, unpackedLimit, memoryLimit: memoryLimit(), cache: null, cacheProgram: null},
      statements,
      {
        signal,
        onProgress: ({step, fraction}) => {
          tell(`${step === 'run' ? 'Looking' : 'Reading'} ${String(Math.floor(100 * fraction))} %`);
        },
      },
    );
  } finally {
    tell('\u001b[K');
    client.dispose();
  }
}

/** Sums beyond what a double holds are of no use here: they come from impossible durations. */
const plain = (cell: SqlCell | undefined): string | number | null =>
  typeof cell === 'bigint' ? Number(cell) : (cell ?? null);
