import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, inject, it, type TestContext} from 'vitest';
import type {KernelSite} from '../../src/core/source/sidecar.js';
import {kernelSitesBeside} from '../../src/launch/compiled/compile-debug.js';
import {kernelSitesOfGraph} from '../../src/launch/compiled/inductor-cache.js';
import {skipTest} from '../support/skip-test.js';

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

const cache = join(home, 'cache');
let compiled: string | null = null;

/** Compiles the script's function, once, and gives its file; null, and says so, where Inductor has no compiler. */
function compile(context: TestContext): string | null {
  if (spawnSync('g++', ['--version']).status !== 0) {
    skipTest(context, 'Inductor needs a C++ compiler, and there is no g++');
    return null;
  }
  if (compiled !== null) return compiled;
  const file = join(home, 'train.py');
  writeFileSync(file, script);
  // Comments name the nodes of Triton's kernels alone: those of C++ are in the cache where PyTorch is to note them.
  const variables = {TORCH_COMPILE_DEBUG: '1', INDUCTOR_PROVENANCE: '1', TORCHINDUCTOR_CACHE_DIR: cache};
  const env = {...process.env, ...variables};
  const {status, stderr} = spawnSync(inject('python'), [file], {cwd: home, encoding: 'utf8', env});
  expect(status, stderr).toBe(0);
  return (compiled = file);
}

function expectLines(sites: readonly KernelSite[], file: string): void {
  expect(sites.every(site => site.name.startsWith('cpp_fused_') && site.file === file)).toBe(true);
  expect([...new Set(sites.map(({line}) => line))].sort()).toEqual([4, 5]);
}

it('reads the lines of kernels from what a real torch.compile leaves with TORCH_COMPILE_DEBUG=1', async context => {
  const file = compile(context);
  if (file !== null) expectLines(await kernelSitesBeside(join(home, 'train.pt.trace.json'), null), file);
});

it('reads them from the graphs that a real torch.compile puts into its cache', context => {
  const file = compile(context);
  if (file === null) return;
  const graphs = readdirSync(join(cache, 'fxgraph'), {recursive: true, withFileTypes: true}).filter(e => e.isFile());
  expect(graphs).not.toEqual([]);
  expectLines(
    graphs.flatMap(({parentPath, name}) => kernelSitesOfGraph(readFileSync(join(parentPath, name)))),
    file,
  );
});
