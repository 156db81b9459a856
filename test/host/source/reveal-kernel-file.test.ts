import {expect, it, vi} from 'vitest';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {definitionLine} = await import('../../../src/host/source/reveal-kernel-file.js');

it.each([
  ['import triton\n\n@triton.jit\ndef fused(x):\n    pass\n', 'fused', 4],
  ['def helper(x):\n    pass\ndef fused(x):\n    pass', 'fused', 3],
  ['# generated\ndef triton_(x):\n    pass', 'fused', 2],
  ['# nothing', 'fused', 1],
  ['', 'fused', 1],
])('definitionLine(%j, %s) is %d', (text, kernel, line) => {
  expect(definitionLine(text, kernel)).toBe(line);
});
