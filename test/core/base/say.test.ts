import {afterEach, expect, it} from 'vitest';
import {language, say, setWords, template} from '../../../src/core/base/say.js';
import {counted} from '../../../src/core/format/count.js';

afterEach(() => {
  setWords(undefined);
});

it('say(text, …) puts values into the fields of a text, and says it in English where no words are set', () => {
  expect(say('Nothing')).toBe('Nothing');
  expect(say('{1} of {0}', 7, 'gemm')).toBe('gemm of 7');
  expect(say('{0} of {1}', 'gemm')).toBe('gemm of {1}');
});

it('say(text, …) takes the words that are set now, and puts a value in as it is', () => {
  const title = template('{0} of {1}');
  setWords({'{0} of {1}': '{1} 的 {0}'});
  expect(say(title, '{1}', '$&')).toBe('$& 的 {1}');
  expect(say('constructor')).toBe('constructor');
  setWords(undefined);
  expect(say(title, 'a', 'b')).toBe('a of b');
});

it('language() is that of the words; without words, all is English', () => {
  expect(language()).toBe('en');
  setWords({}, 'zh-cn');
  expect(language()).toBe('zh-cn');
  setWords(undefined, 'de');
  expect(language()).toBe('en');
});

it('counted(count, one, many, …) chooses the text by the count, which is written with commas', () => {
  expect(counted(1, '{0} kernel', '{0} kernels')).toBe('1 kernel');
  expect(counted(1465, '{0} kernel of {1}', '{0} kernels of {1}', 'gemm')).toBe('1,465 kernels of gemm');
  setWords({'{0} kernels': '{0} 个内核'});
  expect(counted(0, '{0} kernel', '{0} kernels')).toBe('0 个内核');
});
