import {delimiter, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {runningTools} from '../../../src/cli/mcp/running-tools.js';
import {runEnvironment} from '../../../src/cli/run-environment.js';

const python = '/opt/chosen/bin/python';
const command = ['python', 'train.py'];

describe('the tools that run something', () => {
  it.each([python, null])('name the interpreter that was chosen (%s) before the command', chosen => {
    const limits = {roots: ['/work'], allowed: [command], client: 'Editor', python: chosen};
    for (const tool of runningTools) {
      const args = tool.arguments({base: 'a', changed: 'b', command}, limits);
      const options = args.slice(0, args.indexOf('--'));
      expect(options.filter(option => option.startsWith('--python'))).toEqual(
        chosen === null ? [] : [`--python=${chosen}`],
      );
      expect(options).toContain('--label=agent: Editor');
      expect(args.slice(-2)).toEqual(command);
    }
  });
});

describe('runEnvironment', () => {
  it('has the folder of the chosen interpreter first on PATH, and is that of this process without one', () => {
    expect(runEnvironment(python)['PATH']?.split(delimiter)[0]).toBe('/opt/chosen/bin');
    const inProject = runEnvironment('.venv/bin/python')['PATH'];
    expect(inProject?.split(delimiter)[0]).toBe(join(process.cwd(), '.venv', 'bin'));
    expect(runEnvironment(null)['PATH']).toBe(process.env['PATH']);
    expect(runEnvironment('python3')['PATH']).toBe(process.env['PATH']);
  });
});
