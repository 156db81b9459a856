import {expect, it} from 'vitest';
import {maskSecret, maskSecrets} from '../../../src/core/format/mask-secrets.js';

const hex = '0123456789abcdef0123456789abcdef01234567';

it.each([
  [
    ['--api-key', 'X', '--epochs', '3'],
    ['--api-key', '•••', '--epochs', '3'],
  ],
  [
    ['--token=abc', '--batch', '8'],
    ['--token=•••', '--batch', '8'],
  ],
  [
    ['--hf_token', 'abc'],
    ['--hf_token', '•••'],
  ],
  [
    ['-password', 'p w'],
    ['-password', '•••'],
  ],
  [
    ['--password', '--verbose'],
    ['--password', '--verbose'],
  ],
  [
    ['WANDB_API_KEY=abc', 'KEY=5', 'SEED=5'],
    ['WANDB_API_KEY=•••', 'KEY=•••', 'SEED=5'],
  ],
  [
    ['hf_abcdefghijkl', 'sk-abcdefghijkl', 'x=ghp_abcdefghijkl'],
    ['•••', '•••', 'x=•••'],
  ],
  [
    [hex, `--commit=${hex}`],
    ['•••', `--commit=${hex}`],
  ],
  [['postgres://me:secret@host/db'], ['postgres://me:•••@host/db']],
  [['train.py', '--max-tokens', '100', '--pad-token', '<pad>', '--sort-key', 'name'], null],
])('maskSecrets(%j) shows %j', (args, shown) => {
  expect(maskSecrets(args)).toEqual(shown ?? args);
});

it('maskSecret(text) leaves a sentence without secrets as it is', () => {
  expect(maskSecret('python train.py --epochs 3')).toBe('python train.py --epochs 3');
});
