import {setWords} from '../core/base/say.js';
import {programDigest} from '../importers/cache/program-digest.js';
import {processCeilingBytes} from '../importers/reading/memory-limit.js';
import {watchProcess} from '../importers/watched/watch-process.js';
import type {EngineRequests, EngineStart} from '../protocol/engine-messages.js';
import {serve} from '../protocol/rpc.js';
import {createEngine} from './engine.js';
import {processPort} from './process-port.js';
import {urgency} from './timeline-handlers.js';
import {urgentFirst} from './urgent-first.js';

// The first message has the start parameters; all others are requests.
process.once('message', (start: EngineStart) => {
  setWords(start.words);
  const setCeiling = watchProcess(processCeilingBytes(start.settings.memoryLimitBytes));
  const handlers = createEngine(start, programDigest(process.argv[1] ?? ''));
  serve<EngineRequests>(urgentFirst(processPort(process), urgency), {
    ...handlers,
    'engine/configure'(settings, context) {
      setCeiling(processCeilingBytes(settings.memoryLimitBytes));
      return handlers['engine/configure'](settings, context);
    },
  });
});
