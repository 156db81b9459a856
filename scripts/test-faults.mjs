// npm run test:faults: puts the faults of test/faults/faults.json into a copy of the working tree, one at a time, and
// reports which of them are caught by the tests that can reach them. -- --area NAME selects one area.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, node24, root, say} from './lib/run.mjs';
import {withFault} from './lib/suite/apply-fault.mjs';
import {FaultyCopy} from './lib/suite/faulty-copy.mjs';
import {ensurePython} from './lib/venv.mjs';

const {values} = parseArgs({options: {area: {type: 'string'}}});
const all = JSON.parse(readFileSync(join(root, 'test', 'faults', 'faults.json'), 'utf8'));
const faults = all.filter(({area}) => values.area === undefined || area === values.area);
// Before anything else: a fault whose text has changed proves nothing.
for (const fault of faults) withFault(readFileSync(join(root, fault.file), 'utf8'), fault);
await ensureDependencies();
await must(node24, ['esbuild.mjs'], {quiet: true});
const python = faults.some(({area}) => area === 'runner') ? await ensurePython() : null;
const copy = new FaultyCopy();
process.once('exit', () => copy.remove());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await copy.fill();
let notCaught = 0;
/** The tests of a fault, and whether they pass without it. */
const passing = new Map();
for (const fault of faults) {
  const key = fault.tests.join(' ');
  if (!passing.has(key)) passing.set(key, await copy.passes(fault.tests, python));
  const isCaught = passing.get(key) && (await copy.catches(fault, python));
  notCaught += isCaught ? 0 : 1;
  const what = passing.get(key) ? (isCaught ? 'caught' : 'NOT CAUGHT') : 'FAILS WITHOUT IT';
  say(`${what}: ${fault.file}: ${fault.text.trim()} → ${fault.replacement.trim() || '(nothing)'}`);
}
say(`${faults.length - notCaught} of ${faults.length} faults caught`);
process.exitCode = notCaught > 0 ? 1 : 0;
