import {join} from 'node:path';
import {severities, type Finding} from '../../core/findings/rules/finding.js';
import {findIn, plainCell} from '../../core/findings/find.js';
import {noGpuWork} from '../../core/findings/findings-page.js';
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
    const {findings, hasGpuWork} = await readableProfile(file, profile =>
      findIn(statements => cellsOf(statements, profile)),
    );
    if (!hasGpuWork) context.tell(`Note: ${noGpuWork}`);
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

const evidenceOf = (findings: readonly Finding[]) => findings.flatMap(({evidence}) => evidence);

/** A sentence for each number that its query does not give in a process of its own, which reads the file again. */
async function wrongEvidence(findings: readonly Finding[], profile: ReadableProfile): Promise<string[]> {
  const evidence = evidenceOf(findings);
  const cells = await cellsOf(
    evidence.map(({query}) => query),
    profile,
  );
  return evidence.flatMap(({text, value}, at) => {
    const again = plainCell(cells[at]);
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
