// Arguments: project, folder, first seed, number of files, number of cuts of a large trace. Prints one line per
// finding; the exit status shows whether there are any.
import {cutLargeTrace} from './cuts.js';
import {fuzz} from './fuzz.js';

const [project = '', folder = '', seed = '1', count = '10000', cuts = '0'] = process.argv.slice(2);
const findings = (await fuzz(project, folder, Number(count), Number(seed))).map(({path, fault}) => `${path}: ${fault}`);
if (cuts !== '0') findings.push(...(await cutLargeTrace(folder, Number(cuts), Number(seed))));
for (const finding of findings) process.stdout.write(`${finding}\n`);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  `${count} files, ${cuts} cuts, seed ${seed}: ${String(findings.length)} findings, ${megabytes.toFixed(0)} MB at most\n`,
);
process.exitCode = findings.length > 0 ? 1 : 0;
