import {join} from 'node:path';
import {checkEnvironment} from '../../launch/doctor/check-environment.js';
import type {Check} from '../../launch/doctor/check.js';
import {textOption, UsageError, type Command} from '../command.js';
import {nsysHints} from '../nsys-environment.js';
import {formatRows, type Column} from '../report.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens doctor`: what profiling needs, as it is on this machine. */
export const doctorCommand: Command = {
  name: 'doctor',
  brief: 'What this machine lacks for recording, and what to do',
  usage: 'doctor [--python PYTHON]',
  summary: 'the environment: Python, PyTorch, CUPTI, GPU and driver, counters, nsys and ncu, each with a remedy',
  options: {python: {type: 'string'}},
  async run(context, files, options) {
    if (files.length > 0) throw new UsageError('doctor needs no file.');
    const checks = await untilStopped(signal =>
      checkEnvironment({
        python: {
          selected: null,
          setting: textOption(options['python']),
          settingName: '--python',
          workspaceFolders: [process.cwd()],
        },
        nsys: nsysHints(),
        signal,
        runner: join(__dirname, '..', 'src', 'runner'),
      }),
    );
    context.write(formatRows(checks, columns, context.format));
  },
};

const columns: readonly Column<Check>[] = [
  {key: 'check', title: 'Check', value: ({check}) => check},
  {key: 'ok', title: 'OK', value: ({ok}) => ok, text: ({ok}) => (ok ? 'yes' : 'no')},
  {key: 'found', title: 'Found', value: ({found}) => found},
  {key: 'remedy', title: 'Remedy', value: ({remedy}) => remedy, text: ({remedy}) => remedy ?? ''},
];
