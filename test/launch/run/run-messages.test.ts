import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {parseRunMessage, writeRunMessage, type RunMessage} from '../../../src/launch/run/run-messages.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const result = {
  profiles: [{path: '/w/ä.json', kind: 'steps', steps: 3, rank: 0}],
  status: 0,
  isCancelled: false,
  sentences: ['One.'],
  notes: ['Two.'],
  tail: ['last\nline'],
  snapshots: [{path: '/w/memory.pickle', rank: null, isOutOfMemory: true}],
};

it('parseRunMessage reads what writeRunMessage wrote, and a file that cannot be written is no failure', () => {
  const file = join(folder, 'made for it', '1.jsonl');
  const messages: RunMessage[] = [
    {message: 'began', name: 'a.py', folder: '/w/run'},
    {message: 'progress', text: 'step 1/3'},
    {message: 'no-step', folder: '/w/run', seconds: 60},
    {message: 'ended', result},
  ];
  for (const message of messages) writeRunMessage(file, message);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').map(parseRunMessage)).toEqual(messages);
  writeRunMessage(join(file, '2.jsonl'), {message: 'progress', text: ''});
});

describe('parseRunMessage(line)', () => {
  const line = (fields: object) => JSON.stringify({v: 1, ...fields});
  it.each([
    '',
    'null',
    '7',
    '[]',
    '{"v": 2, "message": "progress", "text": ""}',
    line({message: 'progress'}),
    line({message: 'began', name: 'a'}),
    line({message: 'no-step', folder: '/w/run', seconds: '60'}),
    line({message: 'no-step', seconds: 60}),
    line({message: 'ended'}),
    line({message: 'ended', result: {...result, isCancelled: 1}}),
    line({message: 'ended', result: {...result, profiles: {}}}),
    line({message: '__proto__'}),
  ])('passes over %j', text => {
    expect(parseRunMessage(text)).toBeNull();
  });

  it('keeps of a result what is well formed', () => {
    const profiles = [{path: 3}, null, {path: '/a', kind: 'nsys', steps: -1}, {path: '/b', kind: 'nsys', steps: 0}];
    expect(
      parseRunMessage(
        line({message: 'ended', result: {profiles, status: 'x', isCancelled: true, sentences: [1, 'a']}}),
      ),
    ).toEqual({
      message: 'ended',
      result: {
        profiles: [{path: '/b', kind: 'nsys', steps: 0, rank: null}],
        status: null,
        isCancelled: true,
        sentences: ['a'],
        notes: [],
        tail: [],
      },
    });
  });
});
