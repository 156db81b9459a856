import {stackKinds, type RangeStack} from '../../src/core/attribution/range-stack.js';
import {isFields} from '../../src/core/base/read-json.js';
import {rangePasses, type Selection} from '../../src/core/scope/selection.js';

/** Returns the valid part of a stored selection, which another version may have written. */
export function storedSelection(stored: unknown): Selection {
  const fields = isFields(stored) ? stored : {};
  const numbers = (['fromNs', 'toNs', 'step', 'device', 'track', 'stream'] as const).filter(name =>
    Number.isFinite(fields[name]),
  );
  const texts = (['range', 'process'] as const).filter(name => typeof fields[name] === 'string');
  const pass = rangePasses.find(known => known === fields['pass']);
  return {...Object.fromEntries([...numbers, ...texts].map(name => [name, fields[name]])), ...(pass && {pass})};
}

/** Returns the valid part of what was stored as a range. */
export function storedStack(stored: unknown): RangeStack {
  const {kinds, domain, fold} = isFields(stored) ? stored : {};
  const {unfolded} = isFields(fold) ? fold : {};
  return {
    ...(Array.isArray(kinds) && {kinds: stackKinds.filter(kind => kinds.includes(kind))}),
    ...(typeof domain === 'string' && {domain}),
    ...(Array.isArray(unfolded) && {
      fold: {unfolded: unfolded.filter(name => typeof name === 'string'), layers: true},
    }),
  };
}
