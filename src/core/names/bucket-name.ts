import {say, template} from '../base/say.js';

/** Names of buckets of work that no range, operator or module owns: templates. */
const bucketNames: ReadonlySet<string> = new Set([
  template('(outside any range)'),
  template('(outside any operator)'),
  template('(outside any module)'),
  template('(no launch call)'),
  template('(no operator)'),
  template('(backward)'),
  template('(backward, unmatched)'),
]);

/** Returns a name for display: that of a bucket in the editor's language, and any other as it is. */
export const bucketText = (name: string): string => (bucketNames.has(name) ? say(name) : name);
