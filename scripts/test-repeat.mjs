// npm run test:repeat: ten runs of `npm test` in a row, some beside other work. Runs that passed and stand in the table
// of docs/testing.md are not repeated, so a call after an interruption resumes; a run that fails ends the row.
//
// npm run test:repeat -- --only quiet|busy|syncing: one more run under one condition.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, root, run, say} from './lib/run.mjs';
import {startBeside} from './lib/suite/beside.mjs';
import {appendRow, checkedOutCommit, inMinutes, nowUtc} from './lib/suite/run-record.mjs';
import {conditionNames, runsLeft} from './lib/suite/runs-left.mjs';

const {values} = parseArgs({options: {only: {type: 'string'}}});
if (values.only !== undefined && !conditionNames.includes(values.only)) {
  say(`There is no condition "${values.only}": use one of ${conditionNames.join(', ')}.`);
  process.exit(2);
}
// Here, not in the first run: a run that installs dependencies deletes the Node that would start the next one.
await ensureDependencies();
const commit = await checkedOutCommit();
const left = values.only ? [values.only] : runsLeft(readFileSync(join(root, 'docs', 'testing.md'), 'utf8'));
say(left.length === 1 ? 'One run is left.' : `${left.length} runs are left.`);
let failed = false;
for (const condition of left) {
  const stop = startBeside(condition);
  const startMs = performance.now();
  const {status, output} = await run(node24, ['scripts/on-node.cjs', 'test']).finally(stop);
  const result = output.trimEnd().split('\n').at(-1);
  failed ||= status !== 0;
  const time = inMinutes((performance.now() - startMs) / 1000);
  await appendRow('repeated', [nowUtc(), commit, condition, time, result]);
  say(`${condition}: ${result}`);
}
process.exitCode = failed ? 1 : 0;
