import {rmSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import type {Proof} from '../../src/core/prove/proof.js';
import {RunIndex} from '../../src/launch/history/run-index.js';
import type {RunFacts} from '../../src/launch/history/run-facts.js';
import {withKeptProof} from '../../src/launch/prove/keep-proof.js';
import type {ProofRequest} from '../../src/launch/prove/prove.js';
import {temporaryFolder} from '../support/project.js';

const proof: Proof = {verdict: 'proven', deltaPercent: -20, intervalPercent: [-21, -19], reasons: []};

function request(cwd: string): ProofRequest {
  const command = ['python3', 'train.py'] as const;
  return {base: 'HEAD~1', changed: 'HEAD', command, cwd, env: {}, same: null, tolerance: 0.001, budgetMs: 1000};
}

async function listed(output: string): Promise<RunFacts[]> {
  const index = new RunIndex(output);
  try {
    return await index.list();
  } finally {
    index.close();
  }
}

it('withKeptProof lists a proof as a run of this process until it ends', async () => {
  const output = temporaryFolder();
  const lost: string[] = [];
  const make = async () => {
    expect(await listed(output)).toMatchObject([
      {label: 'agent', ended: null, process: {host: hostname(), pid: process.pid}},
    ]);
    return proof;
  };
  expect(await withKeptProof(request(output), output, 'agent', make, reason => lost.push(reason))).toBe(proof);
  expect(await listed(output)).toMatchObject([
    {label: 'agent: proven', status: 0, ended: expect.any(String) as string},
  ]);
  expect(lost).toEqual([]);
});

it('withKeptProof returns the proof if its run was deleted meanwhile, and says that it is not listed', async () => {
  const output = temporaryFolder();
  const lost: string[] = [];
  const make = () => {
    rmSync(join(output, 'runs'), {recursive: true});
    return Promise.resolve(proof);
  };
  expect(await withKeptProof(request(output), output, 'agent', make, reason => lost.push(reason))).toBe(proof);
  expect(lost).toEqual([expect.stringContaining('proof.json')]);
});
