import type {MemoryHostRequests, MemoryViewRequests} from '../../src/protocol/memory-messages.js';
import type {Host} from '../shared/host.js';

/** The extension host, as the memory view sees it. */
export type MemoryHost = Host<MemoryHostRequests, MemoryViewRequests>;
