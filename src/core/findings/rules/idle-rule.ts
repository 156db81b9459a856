import {say} from '../../base/say.js';
import {gpuSpan, idleOf, longestIdleStart, type IdleCause} from './idle-sql.js';
import {defineRule, ns, text, type Conclusion, type Fact, type FactValue, type Rule} from './rule.js';
import {severityOf, silentShare} from './severity.js';

type Shared = 'idle' | 'span' | 'start';

/**
 * Returns a rule about one cause of idle time. Its severity is the cause's share of the time from the GPU's first
 * operation to its last, and all of the idle time can be gained.
 *
 * @param rule `idleSays` describes the idle time, `conclude` gives the rest; its evidence follows the two times
 */
export function idleRule<Name extends string>(rule: {
  readonly cause: IdleCause;
  readonly id: string;
  readonly looksFor: string;
  /** Text after the common threshold of such rules. */
  readonly silentToo?: string;
  /** A template. */
  readonly idleSays: string;
  readonly facts: Readonly<Record<Name, Fact>>;
  conclude(
    number: (name: Name | Shared) => number,
    text: (name: Name | Shared) => FactValue,
  ): Omit<Conclusion<Name | Shared>, 'severity' | 'gainAtMostNs' | 'startNs'>;
}): Rule {
  const {cause, id, looksFor, silentToo, idleSays} = rule;
  const shared: Record<Shared, Fact> = {
    idle: ns(idleOf(cause)),
    span: ns(gpuSpan),
    start: text(longestIdleStart(cause)),
  };
  return defineRule<Name | Shared>({
    id,
    looksFor,
    silentBelow: silentToo === undefined ? silentShare : `${silentShare} ${silentToo}`,
    facts: {...rule.facts, ...shared},
    conclude(number, text) {
      const severity = severityOf(number('idle'), number('span'));
      if (!severity) return null;
      const {evidence, ...said} = rule.conclude(number, text);
      return {
        severity,
        ...said,
        evidence: [['idle', say(idleSays)], ['span', say('From the GPU’s first operation to its last')], ...evidence],
        gainAtMostNs: number('idle'),
        startNs: text('start'),
      };
    },
  });
}
