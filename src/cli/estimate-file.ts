import {readFile} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {estimateConfig, type EstimateConfig} from '../core/estimate/estimate-config.js';
import {EstimateError} from '../core/estimate/estimate-error.js';

/** What the JSON file of `--config` says. @throws TraceError where it cannot be read, or is not what it should be */
export async function readEstimateFile(path: string): Promise<EstimateConfig> {
  const name = basename(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) throw new TraceError('file/missing', `${name} does not exist.`, {cause: error});
    throw new TraceError('file/unreadable', `${name} cannot be read.`, {cause: error});
  }
  try {
    return estimateConfig(JSON.parse(text));
  } catch (error) {
    if (error instanceof EstimateError || error instanceof SyntaxError)
      throw new TraceError('file/unreadable', `${name} is not an estimate: ${error.message}`, {cause: error});
    throw error;
  }
}
