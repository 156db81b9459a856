import {describeWalks} from './support/timeline-walk.js';

describeWalks(() => true);
