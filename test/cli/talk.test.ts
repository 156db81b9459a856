import {WriteStream} from 'node:tty';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {tell} from '../../src/cli/talk.js';
import {run, runWith} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {writeTwoKernels} from '../support/two-kernels.js';

const folder = temporaryFolder();
const trace = writeTwoKernels(folder);
const cut = join(folder, 'cut.json');
writeFileSync(
  cut,
  '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2, "pid": 0, "tid": 7}, {"ph"',
);

describe('--quiet and --verbose', () => {
  it('--quiet leaves out notes, and neither data nor failures', () => {
    const usual = run('ranges', cut);
    expect(usual.stderr).toMatch(/^Note: /);
    expect(run('ranges', cut, '--quiet')).toEqual({...usual, stderr: ''});
    const missing = join(folder, 'none.json');
    expect(run('ranges', missing, '-q')).toEqual(run('ranges', missing));
  });

  it('--verbose tells where an error came from, as GPU_LENS_DEBUG does', () => {
    const missing = join(folder, 'none.json');
    const story = run('ranges', missing, '-v');
    expect(story.stderr.split('\n').length).toBeGreaterThan(3);
    expect(runWith({GPU_LENS_DEBUG: '1'}, 'ranges', missing)).toEqual(story);
  });

  it('exclude each other', () => {
    expect(run('info', trace, '-q', '-v')).toMatchObject({
      status: 2,
      stderr: 'gpu-lens: --quiet and --verbose exclude each other. See gpu-lens info --help.\n',
    });
  });
});

describe('a failure on a terminal', () => {
  /** What is written to a terminal that finds out about colours as Node does. */
  function written(env: NodeJS.ProcessEnv, isTTY = true): string {
    let text = '';
    const hasColors = () => WriteStream.prototype.getColorDepth.call({}, env) > 2;
    tell('gpu-lens: \u001b[5mno.', 'failure', {isTTY, hasColors, write: (part: string) => ((text += part), true)});
    return text;
  }

  it('begins in red, but not with NO_COLOR, on a dumb terminal or in a file', () => {
    const colored = {TERM: 'xterm-256color'};
    expect(written(colored)).toMatch(/^\u001b\[31mgpu-lens:\u001b\[39m [^\u001b]*no\.\n$/);
    const plain = /^gpu-lens: [^\u001b]*no\.\n$/;
    expect(written({...colored, NO_COLOR: '1'})).toMatch(plain);
    expect(written({TERM: 'dumb'})).toMatch(plain);
    expect(written(colored, false)).toMatch(plain);
  });
});
