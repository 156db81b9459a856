// Part of npm run bench: the cost of an idle recorder (`gpu-lens profile --idle`) for a program.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {say} from './lib/run.mjs';
import {ensurePython} from './lib/venv.mjs';

const {status, stdout, stderr} = spawnSync(await ensurePython(), [join('test', 'bench', 'idle.py')], {
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
const {addedStepNs, restPercent, plainStepNs, idleStepNs, changePercent, changesPercent} = JSON.parse(stdout);
const ms = ns => `${(ns / 1e6).toFixed(2)} ms`;
const percent = value => `${value.toFixed(2)} %`;
say(
  `An optimizer step takes ${(addedStepNs / 1000).toFixed(1)} µs more, ${percent((100 * addedStepNs) / plainStepNs)} of a step of 100 Linear modules; ` +
    `a sleeping script uses ${percent(restPercent)} more of a core.`,
);
say(
  `That step, in turn: ${ms(plainStepNs)} without, ${ms(idleStepNs)} with (${percent(changePercent)}, of ${String(changesPercent.length)} pairs ` +
    `from ${percent(changesPercent[0])} to ${percent(changesPercent.at(-1))}).`,
);
