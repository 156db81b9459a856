import type {Trace} from '../core/trace/trace.js';
import {openTrace} from '../importers/open-trace.js';

/** Imports a file with progress on standard error, where that is a terminal. @throws TraceError */
export async function loadTrace(path: string): Promise<Trace> {
  if (!process.stderr.isTTY) return openTrace(path);
  try {
    return await openTrace(path, {
      onProgress: ({bytes, totalBytes, events}) => {
        const percent = Math.floor((100 * bytes) / totalBytes);
        process.stderr.write(`\rReading ${String(percent)} %, ${events.toLocaleString('en')} events`);
      },
    });
  } finally {
    process.stderr.write('\r\u001b[K');
  }
}
