import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {estimate} from '../../core/estimate/estimate.js';
import {estimateInput, mergeConfigs, type EstimateConfig} from '../../core/estimate/estimate-config.js';
import {EstimateError} from '../../core/estimate/estimate-error.js';
import {modelPresets} from '../../core/estimate/model-presets.js';
import {notebookText} from '../../core/estimate/notebook-text.js';
import {systemPresets} from '../../core/estimate/system-presets.js';
import {UsageError, type Command, type OptionValues} from '../command.js';
import {configOfFlags, estimateFlags, estimateUsage} from '../estimate-flags.js';
import {estimateJson, estimateRows, rowColumns} from '../estimate-output.js';
import {measuredSystem} from '../measured-system.js';
import {readEstimateFile} from '../estimate-file.js';
import {formatRows} from '../report.js';

/** `gpu-lens estimate`: operations, bytes, transfers and times of a Transformer on a system, from its shape alone. */
export const estimateCommand: Command = {
  name: 'estimate',
  brief: 'What a Transformer’s layers cost on a GPU',
  usage: `estimate --model MODEL --system SYSTEM [--tensor-parallel N] [--config FILE.json] [--calibrate PROFILE] [--variant printed]\n${estimateUsage}`,
  summary: `what a Transformer’s layers cost on a system, forward and backward (docs/estimate.md);
      models: ${modelPresets.map(({id}) => id).join(', ')};
      systems: ${systemPresets.map(({id}) => id).join(', ')}`,
  options: {config: {type: 'string'}, calibrate: {type: 'string'}, ...estimateFlags},
  async run(context, files, options) {
    if (files.length > 0) throw new UsageError('estimate takes no file but that of --config.');
    const {config: path} = options;
    const file: EstimateConfig = typeof path === 'string' ? await readEstimateFile(path) : {};
    const input = asUsage(() => estimateInput(mergeConfigs(file, configOfFlags(options, file.precision))), file, path);
    const {calibrate: profile} = options;
    const system = typeof profile === 'string' ? await measuredSystem(profile, input.system, context) : input.system;
    const result = asUsage(() => estimate({...input, system}), file, path);
    if (context.format === 'table') context.write(notebookText(result));
    else if (context.format === 'json') context.write(`${JSON.stringify(estimateJson(result), null, 2)}\n`);
    else context.write(formatRows(estimateRows(result), rowColumns, context.format));
  },
};

/**
 * Checks a configuration. An impossible shape or system is an error of the command line, or of the file that has it.
 *
 * @throws UsageError; TraceError `file/unreadable` if the file alone, without any flag, has the error
 */
function asUsage<T>(make: () => T, file: EstimateConfig, path: OptionValues[string]): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EstimateError)) throw error;
    if (typeof path === 'string' && faultOf(file) === error.message) {
      throw new TraceError('file/unreadable', `${basename(path)} is not an estimate: ${error.message}`, {cause: error});
    }
    throw new UsageError(error.message, {cause: error});
  }
}

/** Returns the error in a file; null if there is none. */
function faultOf(file: EstimateConfig): string | null {
  try {
    estimate(estimateInput(file));
    return null;
  } catch (error) {
    return error instanceof EstimateError ? error.message : null;
  }
}
