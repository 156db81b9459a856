import {afterEach, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import {countedNote, countedWording, noteOf, saidNote, wordingOf} from '../../../src/core/trace/trace-note.js';

afterEach(() => {
  setWords(undefined);
});

it('noteOf(code, text, …values) is English in every language, and saidNote(note) is in the editor’s', () => {
  setWords({'{0} of {1}': '{1} 中的 {0}', '{0} event': '{0} 个事件', '{0} events': '{0} 个事件', 'the file': '文件'});
  const note = noteOf('a/b', '{0} of {1}', countedWording(1, '{0} event', '{0} events'), wordingOf('the file'));
  expect(note).toMatchObject({code: 'a/b', text: '1 event of the file'});
  expect(saidNote(note)).toEqual({code: 'a/b', text: '文件 中的 1 个事件'});
  expect(saidNote(countedNote('a/b', 1234, '{0} event', '{0} events')).text).toBe('1,234 个事件');
});

it('saidNote(note) without words is the English text; a text of a profiler is never translated', () => {
  expect(saidNote(countedNote('a/b', 2, '{0} event', '{0} events'))).toEqual({code: 'a/b', text: '2 events'});
  setWords({'buffer full': '缓冲区已满'});
  expect(saidNote({code: 'nsys/warning', text: 'buffer full'})).toEqual({code: 'nsys/warning', text: 'buffer full'});
});
