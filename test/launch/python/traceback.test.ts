import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {failurePlaces} from '../../../src/launch/python/traceback.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

/** What Python itself prints, and where it says that it failed. */
function placesOf(source: string, root = folder) {
  writeFileSync(join(folder, 'fails.py'), source);
  const {stderr} = spawnSync('python3', ['fails.py'], {cwd: folder, encoding: 'utf8'});
  return failurePlaces(stderr.split('\n'), root, folder);
}

const file = join(folder, 'fails.py');

it.each([
  ['def load():\n    raise ValueError("the data has no end")\nload()\n', 2, 'ValueError: the data has no end'],
  ['def load(): return 1 + {}["a b"] * 2\nload()\n', 1, "KeyError: 'a b'"],
  ['x = (1,\n', 1, 'SyntaxError: '],
  ['def deep(n): deep(n + 1)\ndeep(0)\n', 1, 'RecursionError: maximum recursion depth exceeded'],
  ['class Odd(Exception): pass\nraise Odd("two\\n  File lines")\n', 2, '__main__.Odd: two'],
  ['import json\njson.loads("{")\n', 2, 'json.decoder.JSONDecodeError: Expecting property name'],
])('failurePlaces(…) of %j is line %i', (source, line, message) => {
  const places = placesOf(source);
  expect(places).toMatchObject([{file, line}]);
  // A class of the main module has its module's name from Python 3.13 on alone; others say more at the end.
  expect(places[0]?.message.replace(/^Odd/, '__main__.Odd').startsWith(message)).toBe(true);
});

it('failurePlaces(…) has both of an exception that was raised while another one was handled', () => {
  const source = 'try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError(3)\n';
  expect(placesOf(source)).toEqual([
    {file, line: 2, message: 'ZeroDivisionError: division by zero'},
    {file, line: 4, message: 'KeyError: 3'},
  ]);
});

it('failurePlaces(…) takes the innermost line where none is the workspace’s, and none where nothing failed', () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  expect(placesOf('import json\njson.loads("{")\n', other)).toMatchObject([
    {file: expect.stringMatching(/json.decoder\.py$/) as string},
  ]);
  expect(placesOf('print("  File \\"a.py\\", line 3")\n')).toEqual([]);
});

it('failurePlaces(…) tells ranks apart whose lines are mixed, and leaves the launcher out', () => {
  const line = (rank: number, text: string) => `[rank${String(rank)}]: ${text}`;
  const output = [
    line(0, 'Traceback (most recent call last):'),
    line(1, 'Traceback (most recent call last):'),
    line(0, '  File "train.py", line 7, in <module>'),
    line(1, '  File "train.py", line 7, in <module>'),
    line(1, '    main()'),
    line(0, '    main()'),
    line(1, '  File "/usr/lib/python3/site-packages/torch/nn.py", line 99, in forward'),
    line(0, 'ValueError: no data'),
    line(1, 'RuntimeError: out of memory'),
    'Traceback (most recent call last):',
    '  File "/usr/lib/python3/site-packages/torch/distributed/run.py", line 5, in main',
    'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  ];
  expect(failurePlaces(output, '/w', '/w')).toEqual([
    {file: '/w/train.py', line: 7, message: 'ValueError: no data'},
    {file: '/w/train.py', line: 7, message: 'RuntimeError: out of memory'},
  ]);
});
