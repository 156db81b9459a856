import {describeWalks} from './support/timeline-walk.js';

// The one with steps, of PyTorch's profiler; timeline-traces.long.e2e.ts walks all of them.
describeWalks(({folder, hasSteps}) => folder !== null && hasSteps);
