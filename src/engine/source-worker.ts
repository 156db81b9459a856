import {readFile, stat} from 'node:fs/promises';
import {parentPort} from 'node:worker_threads';
import {serve} from '../protocol/rpc.js';
import type {ReadFile, SourceRequests} from '../protocol/source-messages.js';
import {fileContents, mostSourceBytes} from '../source/file-contents.js';
import {workerPort} from './worker-port.js';

/** Files per message: taking one in must not hold the other side up. */
const batchSize = 10;

if (parentPort) {
  serve<SourceRequests>(workerPort(parentPort), {
    async 'sources/read'({paths}, {signal, report}) {
      let batch: ReadFile[] = [];
      for (const path of paths) {
        if (signal.aborted) return undefined;
        batch.push({path, contents: await contentsOf(path)});
        if (batch.length < batchSize) continue;
        report(batch);
        batch = [];
      }
      if (batch.length > 0) report(batch);
      return undefined;
    },
  });
}

async function contentsOf(path: string): Promise<ReadFile['contents']> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    return await fileContents(path, stats.size <= mostSourceBytes(path) ? await readFile(path, 'utf8') : '');
  } catch {
    return null;
  }
}
