import {homedir} from 'node:os';
import {describe, expect, it} from 'vitest';
import {masker, maskedValue} from '../../../src/cli/mcp/masked.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

const env = {HF_TOKEN: 'a-value-of-no-known-form', PATH: '/usr/bin/of-no-interest', DB_PASSWORD: 'hunter2-hunter2'};
const mask = masker('/srv/project', env);

describe('masker', () => {
  it.each([
    ['of a variable with a telling name: a-value-of-no-known-form.', 'of a variable with a telling name: ***.'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345 in a text', '*** in a text'],
    ['hf_abcdefghijklmnopqrst', '***'],
    ['sk-proj-abcdefghijklmnop1234', '***'],
    ['AKIAIOSFODNN7EXAMPLE', '***'],
    ['https://me:secret@example.com/x', 'https://***@example.com/x'],
    ['Authorization: Bearer abcdef.ghijkl-mno', 'Authorization: Bearer ***'],
    ['WANDB_API_KEY=0123456789', 'WANDB_API_KEY=***'],
    ['python train.py --api-key 0123456789 --lr 0.1', 'python train.py --api-key *** --lr 0.1'],
    ['python train.py --hf-token=0123456789', 'python train.py --hf-token=***'],
    ['"password": "hunter2"', '"password": "***"'],
    ['/srv/project/src/train.py', 'src/train.py'],
    ['/srv/project', '.'],
    ['/srv/project-2/train.py', '/srv/project-2/train.py'],
    [`${homedir()}/data/x.bin`, '~/data/x.bin'],
  ])('hides what nobody is to see in %j', (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it.each([
    'loss 0.25, tokens: 512, number of tokens 1024, pad_token=<pad>',
    'token_embeddings',
    'python train.py --tokens 4096 --authors 3',
    'aten::_scaled_dot_product_flash_attention',
    'void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float>>',
    '/usr/bin/of-no-interest',
  ])('leaves %j as it is', text => {
    expect(mask(text)).toBe(text);
  });

  it('hides the value beside the name of a secret, and under it', () => {
    const rows = [
      {name: 'AWS_SECRET_ACCESS_KEY', value: 'of no known form'},
      {name: 'OMP_NUM_THREADS', value: '8', count: 3},
      {HF_TOKEN: 'x', nested: [{GITHUB_TOKEN: 'y'}]},
      {name: 'token_embeddings', file: 'model.py'},
    ];
    expect(maskedValue(rows, mask)).toEqual([
      {name: 'AWS_SECRET_ACCESS_KEY', value: '***'},
      {name: 'OMP_NUM_THREADS', value: '8', count: 3},
      {HF_TOKEN: '***', nested: [{GITHUB_TOKEN: '***'}]},
      {name: 'token_embeddings', file: 'model.py'},
    ]);
  });

  it('leaves numbers as they are', () => {
    expect(maskedValue({gpuWorkNs: 12, tokens: 7, file: null}, mask)).toEqual({gpuWorkNs: 12, tokens: 7, file: null});
  });

  it('takes no long time for a long text', async () => {
    const texts = ['-'.repeat(100_000), 'a-'.repeat(50_000), 'A_'.repeat(50_000), '"'.repeat(100_000)];
    const {times} = await comparedWithUsualWork(() => texts.map(text => mask(text)));
    expect(times).toBeLessThan(10);
  });
});
