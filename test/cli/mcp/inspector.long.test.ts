import {spawnSync} from 'node:child_process';
import {copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {npmCli} from '../../../scripts/lib/npm.mjs';
import {npmNode} from '../../../scripts/lib/npm-node.mjs';
import {tools} from '../../../src/cli/mcp/tools.js';
import {cli} from '../../support/command-line.js';
import {project, temporaryFolder} from '../../support/project.js';

/** Downloaded where it is needed: it has a hundred packages of its own. */
const inspector = '@modelcontextprotocol/inspector@2.12.0';
const folder = temporaryFolder();
const file = 'train.pt.trace.json.gz';

beforeAll(() => {
  copyFileSync(join(project, 'media', 'sample', 'profile', file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', inspector];
  const {status, stderr} = spawnSync(npmNode(), [npmCli(), ...args], {cwd: folder, encoding: 'utf8'});
  expect(status, stderr).toBe(0);
});

/** What the inspector says of the built server, asked by one method. */
function inspect(method: string, ...options: readonly string[]) {
  const program = join(folder, 'node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build');
  const server = [process.execPath, cli, 'mcp', '--root', folder];
  const args = [join(program, 'index.js'), '--cli', ...server, '--method', method, ...options, '--format', 'json'];
  // It keeps a catalog in the home folder.
  const env = {...process.env, HOME: folder, USERPROFILE: folder};
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: folder, env, encoding: 'utf8'});
  return {status, stderr, answer: stdout === '' ? null : (JSON.parse(stdout) as unknown)};
}

describe('the inspector of the Model Context Protocol', () => {
  it('finds no fault in the schemas of the tools', () => {
    const {status, stderr, answer} = inspect('tools/list', '--strict');
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(answer).toMatchObject({result: {tools: tools.map(({name}) => ({name}))}});
  });

  it.each([
    ['resources/list', [], {resources: [{uri: 'gpu-lens://metrics'}]}],
    ['resources/templates/list', [], {resourceTemplates: [{name: 'metric'}, {name: 'notes'}]}],
    ['resources/read', ['--uri', 'gpu-lens://metrics/prove'], {contents: [{mimeType: 'text/markdown'}]}],
    ['prompts/list', [], {prompts: [{name: 'optimise'}, {name: 'explain'}, {name: 'check-claim'}]}],
    ['prompts/get', ['--prompt-name', 'explain', '--prompt-args', `file=${file}`], {messages: [{role: 'user'}]}],
    ['tools/call', ['--tool-name', 'open', '--tool-arg', `file=${file}`], {content: [{type: 'text'}]}],
  ])('is answered: %s', (method, options, expected) => {
    const {status, stderr, answer} = inspect(method, ...options);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(answer).toMatchObject({result: expected});
  });

  it('sees that a refusal is an error of the tool', () => {
    const {status, answer} = inspect('tools/call', '--tool-name', 'open', '--tool-arg', 'file=/etc/hostname');
    expect([status, answer]).toMatchObject([5, {result: {isError: true}}]);
  });
});
