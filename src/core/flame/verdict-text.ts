import {say, template} from '../base/say.js';
import type {blockVerdicts} from './flame-difference.js';

/** What is shown of each verdict: templates. */
const texts: Readonly<Record<(typeof blockVerdicts)[number], string>> = {
  faster: template('faster'),
  slower: template('slower'),
  same: template('same'),
  'cannot tell': template('cannot tell'),
  new: template('new'),
  gone: template('gone'),
};

/** Returns a verdict in the editor's language. The verdict itself is a key, which JSON and CSV have in English. */
export const verdictText = (verdict: (typeof blockVerdicts)[number]): string => say(texts[verdict]);
