import {describe, expect, it} from 'vitest';
import {costFormula, operatorCost} from '../../../src/core/roofline/operator-cost.js';
import type {OperatorInputs} from '../../../src/core/figures/operator-inputs.js';

const bf16 = 'c10::BFloat16';

function inputs(
  dims: (number[] | null)[],
  types: string[] = dims.map(() => bf16),
  values: string[] = [],
): OperatorInputs {
  return {dims, types, values};
}

const flops = (name: string, given: OperatorInputs) => operatorCost(name, given)?.flops.matrix;

// The numbers are what torch.utils.flop_counter.FlopCounterMode of PyTorch 2.13 gives for these calls.
describe('operatorCost(name, inputs) counts what PyTorch’s own counter counts', () => {
  it('of products', () => {
    expect(
      flops(
        'aten::mm',
        inputs([
          [8944, 1024],
          [1024, 2816],
        ]),
      ),
    ).toBe(51_581_550_592);
    expect(flops('aten::addmm', inputs([[512], [141, 512], [512, 512], [], []]))).toBe(73_924_608);
    expect(
      flops(
        'aten::bmm',
        inputs([
          [96, 3137, 64],
          [96, 64, 3137],
        ]),
      ),
    ).toBe(120_923_369_472);
  });

  it('of convolutions', () => {
    const lists = ['', '', '[3, 3]', '[2, 2]', '[1, 1]', '1'];
    expect(
      flops('aten::cudnn_convolution', inputs([[512, 3, 224, 224], [64, 3, 7, 7], [], [], [], []], undefined, lists)),
    ).toBe(120_846_286_848);
    const patches = ['', '', '[0, 0]', '[16, 16]', '[1, 1]', '1'];
    expect(
      flops(
        'aten::cudnn_convolution',
        inputs(
          [
            [128, 3, 224, 224],
            [768, 3, 16, 16],
          ],
          undefined,
          patches,
        ),
      ),
    ).toBe(29_595_009_024);
    const backward = ['', '', '', '[0]', '[1, 1]', '[1, 1]', '[1, 1]', 'False', '[0, 0]', '1', '[True, True, False]'];
    const sizes = inputs(
      [
        [512, 64, 56, 56],
        [512, 64, 56, 56],
        [64, 64, 3, 3],
      ],
      undefined,
      backward,
    );
    expect(flops('aten::convolution_backward', sizes)).toBe(236_760_072_192);
  });

  it('of attention, forward and backward', () => {
    const [query, none] = [[1, 141, 8, 64], [] as number[]];
    const values = (at: number, flag: string) => Object.assign(new Array<string>(12).fill(''), {[at]: flag});
    const forward = inputs([query, query, query, none, none], undefined, values(8, 'False'));
    expect(flops('aten::_flash_attention_forward', forward)).toBe(40_716_288);
    const backward = inputs([query, query, query, query], undefined, values(11, 'False'));
    expect(flops('aten::_flash_attention_backward', backward)).toBe(101_790_720);
  });
});

describe('operatorCost(name, inputs)', () => {
  it('counts inputs and outputs once, by their types', () => {
    expect(
      operatorCost(
        'aten::mm',
        inputs([
          [2, 3],
          [3, 4],
        ]),
      )?.bytes,
    ).toBe(2 * (6 + 12 + 8));
    expect(
      operatorCost(
        'aten::mm',
        inputs(
          [
            [2, 3],
            [3, 4],
          ],
          ['float', 'float'],
        ),
      )?.bytes,
    ).toBe(4 * (6 + 12 + 8));
    expect(operatorCost('aten::copy_', inputs([[5], [5]], ['float', 'c10::Half']))?.bytes).toBe(30);
  });

  it('spreads smaller tensors, and leaves scalars out', () => {
    const cost = operatorCost('aten::mul', inputs([[16, 559, 64], [1, 559, 1], []], [bf16, bf16, 'Scalar']));
    expect(cost).toMatchObject({flops: {matrix: 0, vector: 16 * 559 * 64}, bytes: 2 * (2 * 16 * 559 * 64 + 559)});
    expect(operatorCost('aten::add_', inputs([[4], [4]]))?.bytes).toBe(2 * 12);
    expect(operatorCost('aten::add', inputs([[4], [5]]))).toBeNull();
  });

  it('halves the pairs under a causal mask', () => {
    const values = Object.assign(new Array<string>(12).fill(''), {8: 'True'});
    const query = [2, 10, 3, 4];
    expect(flops('aten::_flash_attention_forward', inputs([query, query, query], undefined, values))).toBe(
      2 * 2 * 2 * 3 * 55 * 4,
    );
  });

  it.each([
    ['0', 5, 3, 5 * 3],
    // Query i has keys 0 to i: 1 + 2 + 3 + 3 + 3, and 1 + 2 + 3 of five.
    ['1', 5, 3, 12],
    ['1', 3, 5, 6],
    // The last query has all keys: 0 + 0 + 1 + 2 + 3, and 3 + 4 + 5.
    ['2', 5, 3, 6],
    ['2', 3, 5, 12],
  ])('counts the pairs under mask %s of %i queries and %i keys', (mask, queries, keys, pairs) => {
    const values = Object.assign(new Array<string>(12).fill(''), {9: mask});
    const [query, key] = [
      [2, queries, 3, 4],
      [2, keys, 3, 4],
    ];
    expect(flops('aten::_efficient_attention_forward', inputs([query, key, key], undefined, values))).toBe(
      2 * 2 * 2 * 3 * pairs * 4,
    );
  });

  it.each<[string, string, OperatorInputs]>([
    [
      'the mask of attention is not recorded',
      'aten::_flash_attention_forward',
      inputs([
        [2, 3, 4, 5],
        [2, 3, 4, 5],
        [2, 3, 4, 5],
      ]),
    ],
    [
      'sequences have lengths of their own',
      'aten::_flash_attention_forward',
      inputs(
        [
          [6, 4, 5],
          [6, 4, 5],
          [6, 4, 5],
        ],
        undefined,
        new Array<string>(9).fill('False'),
      ),
    ],
    [
      'padding and stride are not recorded',
      'aten::cudnn_convolution',
      inputs([
        [1, 3, 8, 8],
        [4, 3, 3, 3],
      ]),
    ],
    [
      'sizes do not fit',
      'aten::mm',
      inputs([
        [2, 3],
        [4, 5],
      ]),
    ],
    [
      'a type is not known',
      'aten::mm',
      inputs(
        [
          [2, 3],
          [3, 5],
        ],
        ['Q', 'Q'],
      ),
    ],
    ['a list of tensors stands there', 'aten::mm', inputs([null, [3, 5]])],
    ['nothing is recorded', 'aten::mm', inputs([])],
    [
      'sizes leave the numbers',
      'aten::mm',
      inputs([
        [1e300, 1e300],
        [1e300, 1e300],
      ]),
    ],
    [
      'a tensor is empty',
      'aten::mm',
      inputs([
        [0, 0],
        [0, 0],
      ]),
    ],
  ])('says nothing where %s', (_, name, given) => {
    expect(costFormula(name)).not.toBeNull();
    expect(operatorCost(name, given)).toBeNull();
  });

  it('knows no operators but ATen’s', () => {
    expect(costFormula('mm')).toBeNull();
    expect(costFormula('mine::mm')).toBeNull();
    expect(costFormula('aten::constructor')).toBeNull();
    expect(costFormula('aten::embedding')).toBeNull();
  });
});
