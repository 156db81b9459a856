import {afterEach, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import {trackText} from '../../../src/core/names/track-text.js';
import {chineseTexts} from '../../support/translations.js';

afterEach(() => {
  setWords(undefined);
});

it.each([
  ['Stream 7 · compute', '流 7 · 计算'],
  ['thread 100 (main)', '线程 100（主线程）'],
  ['thread 101 (pt_autograd_0) · Python frames', '线程 101（pt_autograd_0） · Python 栈帧'],
  ['GPU 0 · NVIDIA H100 · rank 3', 'GPU 0 · NVIDIA H100 · rank 3'],
  ['Process 12', '进程 12'],
  ['Memory allocated since the recording began', '录制开始以来分配的内存'],
  ['my own thread', 'my own thread'],
])('trackText(%s) says the words of ours, and keeps the names of the program', (name, chinese) => {
  expect(trackText(name)).toBe(name);
  setWords(chineseTexts);
  expect(trackText(name)).toBe(chinese);
});
