import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {targets} from '../../scripts/lib/package-extension.mjs';
import {project} from '../support/project.js';

/** GitHub's own schemas of workflows, and its syntax of globs and of jobs that need others. */
const {validateWorkflow} = createRequire(import.meta.url)('@action-validator/core') as {
  validateWorkflow: (text: string) => {errors: {title: string}[]};
};

const folder = join(project, '.github', 'workflows');
const workflows = readdirSync(folder).map(name => ({name, text: readFileSync(join(folder, name), 'utf8')}));
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  engines: {node: string};
  scripts: Record<string, string>;
};

describe('the workflows of GitHub', () => {
  it.each(workflows)('$name is valid', ({text}) => {
    expect(validateWorkflow(text).errors).toEqual([]);
  });

  it('are found to be wrong where a key is misspelt or a job needs one that does not exist', () => {
    const [{text} = {text: ''}] = workflows.filter(({name}) => name === 'release.yml');
    expect(validateWorkflow(text.replace('needs: [suite', 'need: [suite')).errors).not.toEqual([]);
    expect(validateWorkflow(text.replace('needs: [suite', 'needs: [suites')).errors).not.toEqual([]);
  });

  it.each(workflows)('$name pins each action to a commit, and names its version', ({text}) => {
    const used = [...text.matchAll(/uses: (\S+.*)/g)].map(([, action]) => action ?? '');
    expect(used.filter(action => !/^(\.\/|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(action))).toEqual([]);
  });

  it.each(workflows)('$name runs scripts that package.json has, and may only read but where it says so', ({text}) => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? '');
    for (const script of scripts) expect(manifest.scripts).toHaveProperty([script]);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it('pack every target, and try the oldest Node that package.json allows', () => {
    const textOf = (wanted: string) => workflows.find(({name}) => name === wanted)?.text ?? '';
    const packed = /npm run package --\s+([\w\s-]+?)\n\s+- uses/.exec(textOf('packages.yml'))?.[1]?.split(/\s+/);
    expect(packed?.sort()).toEqual([...targets, 'npm', 'wheel'].sort());
    expect(textOf('suite.yml')).toContain(`node-version: ${manifest.engines.node.replace('>=', '')}\n`);
  });
});
