// Part of npm run bench: the cost per step of lines without tags (`gpu-lens profile --automatic on`).
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {say} from './lib/run.mjs';
import {ensurePython} from './lib/venv.mjs';

const {status, stdout, stderr} = spawnSync(await ensurePython(), [join('test', 'bench', 'automatic.py')], {
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
say('| program | step | takes | automatic lines add | quartiles |\n| --- | --- | --- | --- | --- |');
for (const {program, kind, stepNs, addedPercent, quartilesPercent} of JSON.parse(stdout)) {
  const quartiles = quartilesPercent.map(value => `${value.toFixed(2)} %`).join(' to ');
  say(`| ${program} | ${kind} | ${(stepNs / 1e6).toFixed(2)} ms | ${addedPercent.toFixed(2)} % | ${quartiles} |`);
}
