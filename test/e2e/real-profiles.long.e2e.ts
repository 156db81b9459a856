import {describe} from 'vitest';
import {hasData} from '../support/real-data.js';
import {openInOneWindow} from './support/real-profiles.js';

describe.skipIf(!hasData)('every real profile', () => {
  openInOneWindow(() => true);
});
