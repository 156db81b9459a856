import {rm, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {basename, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import type {Proof} from '../../core/prove/proof.js';
import {codeState} from '../history/code-state.js';
import {writeRunFile, type RunFile} from '../history/run-file.js';
import {RunIndex} from '../history/run-index.js';
import {changeRunMark} from '../history/run-mark.js';
import {createRunFolder, freeReserve} from '../run/run-folder.js';
import type {ProofRequest} from './prove.js';

/** Holds the verdict with its reasons, beside the run's record. */
const proofFileName = 'proof.json';

/**
 * Saves a proof among the recorded runs while it is made: commits and command at the start, the verdict at the end.
 *
 * @param output the folder that contains `runs`
 * @param label its label in the list of runs
 * @param onLost receives the reason if the verdict cannot be saved, for example because the run was deleted meanwhile
 * @throws TraceError `file/unwritable`; whatever `make` throws
 */
export async function withKeptProof(
  {base, changed, command, cwd}: ProofRequest,
  output: string,
  label: string,
  make: () => Promise<Proof>,
  onLost: (reason: string) => void,
): Promise<Proof> {
  const folder = await createRunFolder(output, 'prove', new Date());
  const run: RunFile = {
    ...{name: 'prove', command: ['gpu-lens', 'prove', base, changed, '--', ...command], cwd, batch: null},
    ...(await codeState(cwd)),
    ...{began: new Date().toISOString(), process: {host: hostname(), pid: process.pid}},
    ...{ended: null, status: null, profiles: []},
  };
  await writeRunFile(folder.path, run);
  changeRunMark(folder.path, {label});
  try {
    const proof = await make();
    try {
      await writeFile(join(folder.path, proofFileName), `${JSON.stringify(proof, null, 2)}\n`, {mode: 0o600});
      await writeRunFile(folder.path, {...run, ended: new Date().toISOString(), status: 0});
      await labelListed(output, folder.path, `${label}: ${proof.verdict}`);
    } catch (error) {
      onLost(error instanceof Error ? error.message : String(error));
    }
    return proof;
  } catch (error) {
    // If a commit does not exist, nothing was run.
    if (error instanceof TraceError && error.code.startsWith('prove/no-')) {
      await rm(folder.path, {recursive: true, force: true});
    } else {
      await writeRunFile(folder.path, {...run, ended: new Date().toISOString(), status: 1}).catch(() => undefined);
    }
    throw error;
  } finally {
    await freeReserve(folder);
  }
}

/** Labels a run that may have been pinned in the meantime. */
async function labelListed(output: string, folder: string, label: string): Promise<void> {
  const index = new RunIndex(output);
  try {
    await index.mark(basename(folder), {label});
  } finally {
    index.close();
  }
}
