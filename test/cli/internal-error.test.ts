import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {cli} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const profile = join(folder, 'a.json');
writeFileSync(profile, kinetoText([kineto.range('step', 0, 100)]));

/** Faults that are put in: where figures are written, and where nobody waits. */
const faults = {
  thrown: `process.stdout.write = () => { throw new TypeError('no figure'); };`,
  unhandled: `setImmediate(() => { Promise.reject(new TypeError('nobody waits')); });`,
} as const;

function run(fault: keyof typeof faults, environment: Readonly<Record<string, string>> = {}) {
  const preload = join(folder, `${fault}.cjs`);
  writeFileSync(preload, faults[fault]);
  const {status, stdout, stderr} = spawnSync(process.execPath, ['--require', preload, cli, 'info', profile], {
    encoding: 'utf8',
    env: {...process.env, GPU_LENS_DEBUG: '', ...environment},
  });
  return {status, stdout, stderr};
}

describe('a fault of the command line', () => {
  it.each([
    ['thrown', 'no figure'],
    ['unhandled', 'nobody waits'],
  ] as const)('is one sentence that says so, and no stack: %s', (fault, message) => {
    const {status, stderr} = run(fault);
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: `gpu-lens: Internal error of GPU Lens: ${message} (GPU_LENS_DEBUG=1 shows where)\n`,
    });
  });

  it.each([
    ['thrown', 'no figure'],
    ['unhandled', 'nobody waits'],
  ] as const)('tells where it came from with GPU_LENS_DEBUG: %s', (fault, message) => {
    const [sentence, first, ...stack] = run(fault, {GPU_LENS_DEBUG: '1'}).stderr.trimEnd().split('\n');
    expect(sentence).toBe(`gpu-lens: Internal error of GPU Lens: ${message}`);
    expect(first).toBe(`TypeError: ${message}`);
    expect(stack.length).toBeGreaterThan(0);
    expect(stack[0]).toContain(`${fault}.cjs`);
  });
});
