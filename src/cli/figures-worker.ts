import {parentPort, workerData} from 'node:worker_threads';
import {describeError} from '../core/base/errors.js';
import {profileFigures, type ProfileFigures} from '../core/summary/profile-figures.js';
import {openTrace} from '../importers/open-trace.js';
import type {ImportOptions} from '../importers/reading/importer.js';

/** How the threads read profiles. */
export type FiguresStart = Pick<ImportOptions, 'unpackedLimit' | 'memoryLimit'>;

/** A profile to read. */
export interface FiguresOrder {
  readonly number: number;
  readonly path: string;
}

/** Its figures, or why it cannot be read. */
export type FiguresMessage = {readonly number: number} & (
  {readonly figures: ProfileFigures} | ReturnType<typeof describeError>
);

async function answer({number, path}: FiguresOrder): Promise<FiguresMessage> {
  try {
    return {number, figures: profileFigures(await openTrace(path, workerData as FiguresStart))};
  } catch (error) {
    return {number, ...describeError(error, 'internal')};
  }
}

/** Answers, in a thread that reads profiles of a folder, what `FiguresThreads` orders. */
export function answerFigures(): void {
  parentPort?.on('message', (order: FiguresOrder) => {
    void answer(order).then(message => parentPort?.postMessage(message));
  });
}
