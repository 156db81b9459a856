import {expect, it} from 'vitest';
import {TagWords} from '../../../src/source/cpp/tag-words.js';

it('TagWords tell whether a stretch of a text has a word that opens or closes a range', () => {
  const text = 'nvtxRangePushA("a"); my_nvtxRangePop2(); NVTX3_V1_FUNC_RANGE();';
  const words = new TagWords(text, []);
  const last = text.indexOf('NVTX3');
  expect([words.isIn(0, 1), words.isIn(1, last), words.isIn(1, last + 1), words.isIn(last + 1, text.length)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
