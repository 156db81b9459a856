import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, inject, it} from 'vitest';
import {kernelSitesBeside} from '../../src/launch/compile-debug.js';

const home = mkdtempSync(join(tmpdir(), 'gpu-lens-compile-debug-'));
afterAll(() => {
  rmSync(home, {recursive: true, force: true});
});

const script = `import torch

def softmaxed(x):
    y = torch.relu(x) * 2
    return torch.softmax(y, -1).sum()

torch.compile(softmaxed)(torch.randn(8, 16))
`;

it('reads the lines of kernels from what a real torch.compile leaves with TORCH_COMPILE_DEBUG=1', async context => {
  if (spawnSync('g++', ['--version']).status !== 0) {
    console.warn('skipped: Inductor needs a C++ compiler, and there is no g++');
    context.skip();
    return;
  }
  const file = join(home, 'train.py');
  writeFileSync(file, script);
  const env = {...process.env, TORCH_COMPILE_DEBUG: '1', TORCHINDUCTOR_CACHE_DIR: join(home, 'cache')};
  const {status, stderr} = spawnSync(inject('python'), [file], {cwd: home, encoding: 'utf8', env});
  expect(status, stderr).toBe(0);
  const sites = await kernelSitesBeside(join(home, 'train.pt.trace.json'), null);
  expect(sites.every(site => site.name.startsWith('cpp_fused_') && site.file === file)).toBe(true);
  expect([...new Set(sites.map(({line}) => line))].sort()).toEqual([4, 5]);
});
