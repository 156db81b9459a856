import {TraceSketch} from '../core/questions/trace-sketch.js';
import type {ImportOptions} from '../importers/reading/importer.js';
import type {OpenProgress} from '../protocol/engine-messages.js';

/** Progress is reported at most this often: a message costs both ends. */
const progressIntervalMs = 50;
/** A picture takes up to 200 KB. */
const leastPictureIntervalMs = 150;
/** Drawing takes no more than this part of the time. */
const mostDrawingPart = 0.02;

/** Options of an import that report how far it is, with a picture of what was read so far. */
export function openingTold(report: (progress: OpenProgress) => void): Pick<ImportOptions, 'onBegin' | 'onProgress'> {
  let sketch: TraceSketch | null = null;
  let reportedAtMs = -Infinity;
  let nextPictureMs = -Infinity;
  return {
    onBegin: draft => {
      sketch = new TraceSketch(draft);
    },
    onProgress: progress => {
      const nowMs = performance.now();
      if (nowMs < reportedAtMs + progressIntervalMs) return;
      reportedAtMs = nowMs;
      // The complete profile arrives soon.
      const isAll = progress.bytes >= progress.totalBytes;
      const picture = isAll || nowMs < nextPictureMs ? null : (sketch?.picture() ?? null);
      const drawingMs = performance.now() - nowMs;
      if (picture) nextPictureMs = nowMs + Math.max(leastPictureIntervalMs, drawingMs / mostDrawingPart);
      report({...progress, picture});
    },
  };
}
