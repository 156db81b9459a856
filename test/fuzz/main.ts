// Arguments: project, folder, first seed, number of files. Prints a line per finding; the status tells whether there are any.
import {fuzz} from './fuzz.js';

const [project = '', folder = '', seed = '1', count = '10000'] = process.argv.slice(2);
const findings = await fuzz(project, folder, Number(count), Number(seed));
for (const {path, fault} of findings) process.stdout.write(`${path}: ${fault}\n`);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  `${count} files, seed ${seed}: ${String(findings.length)} findings, ${megabytes.toFixed(0)} MB at most\n`,
);
process.exitCode = findings.length > 0 ? 1 : 0;
