import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ProofCase, proofCases, python} from '../support/proof-case.js';
import {rewrites} from './rewrites.js';
import {ScriptedClient} from './scripted-client.js';

/** A busy machine needs most of them: a run that takes three seconds took thirty there. */
const timeout = 1_800_000;
const budgetSeconds = 900;

/** What each trap is refused for, and what it may be called. */
const traps: Readonly<Record<string, readonly [verdict: string, reason: string]>> = {
  cached_result: ['not proven', 'cached'],
  dtype_lowered: ['not the same work', 'dtypes'],
  evaluation_instead_of_training: ['not the same work', 'training'],
  first_call_compiled: ['not proven', 'noise'],
  missing_synchronisation: ['not proven', 'put-off'],
  noise_chosen_from_twenty_runs: ['not proven', 'noise'],
  other_seed_ends_early: ['not the same work', 'outputs'],
  profiler_on: ['not proven', 'profiler'],
  skipped_steps: ['not the same work', 'steps'],
  smaller_batch: ['not the same work', 'shapes'],
};

describe('ten slow scripts', () => {
  it('are ten, and each has several lines that a rewrite fits: the figures choose', () => {
    expect(proofCases('slow')).toHaveLength(10);
    for (const name of proofCases('slow')) {
      const lines = textOf(`slow/${name}`, 'before').split('\n');
      const fitting = lines.filter((_, at) => rewrites.some(({apply}) => apply(lines, at) !== null));
      expect([name, fitting.length >= 3]).toEqual([name, true]);
    }
  });

  it.each(proofCases('slow'))('a client without a model mends %s, and proves it', {timeout}, async name => {
    const proofCase = new ProofCase(`slow/${name}`, ['before']);
    const client = await ScriptedClient.start(proofCase.folder, [python, 'train.py']);
    try {
      const way = await client.mend();
      expect([way, withoutTitle(proofCase.script())]).toEqual([
        expect.any(String),
        withoutTitle(textOf(`slow/${name}`, 'after')),
      ]);
      proofCase.commit('mended');
      const same = proofCase.hasCheck ? {same: 'check:results'} : {};
      const {verdict, reasons} = await client.prove({budgetSeconds, ...same});
      expect({verdict, reasons}).toEqual({verdict: 'proven', reasons});
    } finally {
      await client.close();
      proofCase.remove();
    }
  });
});

describe('ten traps', () => {
  it.each(proofCases('traps'))('%s is not proven, for its own reason', {timeout}, name => {
    const proofCase = new ProofCase(`traps/${name}`);
    const {proof} = proofCase.prove(['--budget', String(budgetSeconds)]);
    proofCase.remove();
    const [verdict, reason] = traps[name] ?? [];
    expect([proof?.verdict, proof?.reasons.map(({code}) => code)]).toEqual([verdict, expect.arrayContaining([reason])]);
  });

  it('are ten', () => {
    expect(proofCases('traps')).toEqual(Object.keys(traps));
  });
});

describe('ten honest changes that resemble the traps', () => {
  it('are ten', () => {
    expect(proofCases('honest')).toHaveLength(10);
  });

  it.each(proofCases('honest'))('%s is proven', {timeout}, name => {
    const proofCase = new ProofCase(`honest/${name}`);
    const same = proofCase.hasCheck ? ['--same', 'check:results'] : [];
    const {status, proof} = proofCase.prove(['--budget', String(budgetSeconds), ...same]);
    proofCase.remove();
    expect({status, verdict: proof?.verdict, reasons: proof?.reasons}).toEqual({
      ...{status: 0, verdict: 'proven', reasons: proof?.reasons},
    });
  });
});

describe('40 pairs of the same commit', () => {
  it('at most two are called faster or slower', {timeout: 60 * 60_000}, () => {
    const proofCase = new ProofCase('honest/same_seed_same_end', ['before']);
    const proofs = Array.from({length: 40}, () => proofCase.prove(['--budget', '60'], ['HEAD', 'HEAD']).proof);
    proofCase.remove();
    const verdicts = proofs.map(proof => proof?.verdict);
    expect(verdicts.filter(verdict => verdict === 'proven' || verdict === 'worse').length).toBeLessThanOrEqual(2);
    expect(verdicts).not.toContain('not the same work');
    // A proof without enough runs tells nothing of its statistics.
    expect(proofs.filter(proof => proof?.deltaPercent === null).length).toBeLessThanOrEqual(10);
  });
});

function textOf(name: string, state: string): string {
  return readFileSync(join(import.meta.dirname, name, `${state}.py`), 'utf8');
}

/** A script without its first line, which says whether it is the state before or after. */
function withoutTitle(text: string): string {
  return text.slice(text.indexOf('\n'));
}
