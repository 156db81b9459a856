import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run, runIn} from '../support/command-line.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';
import {findIn} from '../../src/core/findings/find.js';
import {ownRule} from '../../src/core/findings/own-rule.js';
import {SqlClient} from '../../src/sql/client.js';

const folder = temporaryFolder();

function write(name: string, make: (program: GpuProgram) => void): string {
  const program = new GpuProgram();
  make(program);
  const path = join(folder, name);
  writeFileSync(path, kinetoText(program.events, {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]}));
  return path;
}

/** Five batches that the GPU waits for, each followed by a product in fp32. */
const slow = write('slow.json', program => {
  for (let at = 0; at < 5; at++) {
    program.range('enumerate(DataLoader)#_Next', () => program.python(400));
    program.launch({name: 'ampere_sgemm_128x64_tn', gpu: 600}).python(600);
  }
});
const clean = write('clean.json', program => program.launches(50, {gpu: 100}));

describe('gpu-lens findings', () => {
  it('gives what the contract names, strongest first, and each value by its query', () => {
    const findings = json('findings', slow) as Record<string, unknown>[];
    expect(findings.map(({rule}) => rule)).toEqual(['precision/fp32-products', 'idle/data-loader']);
    const [product] = findings;
    expect(Object.keys(product ?? {})).toEqual(
      expect.arrayContaining([
        'rule',
        'severity',
        'title',
        'evidence',
        'gainAtMostNs',
        'predictedGainNs',
        'file',
        'line',
      ]),
    );
    // The CPU holds all products but the last: 600 µs, four times faster in bf16 (the root of 312 over 19.5 TFLOP/s).
    expect(product).toMatchObject({severity: 'high', gainAtMostNs: 2_625_000, predictedGainNs: 450_000, file: null});
    const [evidence] = product?.['evidence'] as {value: number; unit: string; query: string}[];
    expect(evidence).toMatchObject({value: 3_000_000, unit: 'ns'});
    const [row] = json('query', slow, evidence?.query ?? '') as Record<string, number>[];
    expect(Object.values(row ?? {})).toEqual([3_000_000]);
  });

  it('recomputes the figures of a printed report, whatever its rows are called and however long they took', () => {
    const row = (name: string, calls: number, scale: number) =>
      `| ${name} | 2.00% | ${String(scale)}.000ms | 12.00% | ${String(30 * scale)}.000ms | 60.000us | 0.000us | 0.00% | 1.000ms | 1.000us | ${String(calls)} |\n`;
    const head =
      '| Name | Self CPU % | Self CPU | CPU total % | CPU total | CPU time avg | Self CUDA | Self CUDA % | CUDA total | CUDA time avg | # of Calls |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n';
    const found = (scale: number, name: string) => {
      const path = join(folder, 'printed.md');
      writeFileSync(path, `## Run\n\n${head}${row(name, 500 * scale, scale)}`);
      return json('findings', path) as {rule: string; evidence: {value: number}[]}[];
    };
    for (const scale of [1, 3]) {
      const [waits] = found(scale, 'aten::item');
      expect(waits).toMatchObject({rule: 'printed/many-waits'});
      expect(waits?.evidence.map(({value}) => value)).toEqual([500 * scale, 30e6 * scale, 12]);
    }
    expect(run('findings', join(folder, 'printed.md'), '--verify')).toMatchObject({status: 0});
    // What waits is told by its name alone.
    expect(found(3, 'aten::itemize')).toEqual([]);
  });

  it('recomputes every number with --verify', () => {
    const {status, stderr} = run('findings', slow, '--verify');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^All \d+ numbers were recomputed, and are the same\.$/m);
  });

  it.each([
    ['high', 3],
    ['medium', 3],
    ['low', 3],
  ])('exits with 3 for --fail-on %s where a finding is at least as severe', (severity, status) => {
    expect(run('findings', slow, '--fail-on', severity).status).toBe(status);
    expect(run('findings', clean, '--fail-on', severity).status).toBe(0);
  });

  it('says that nothing stands out', () => {
    const {status, stdout} = run('findings', clean);
    expect({status, stdout}).toEqual({
      status: 0,
      stdout: 'No findings: nothing is above a rule’s threshold.\n',
    });
    expect(json('findings', clean)).toEqual([]);
  });

  it('says that there is no GPU work to look at', () => {
    const path = write('cpu.json', program => program.range('step', () => program.python(100)));
    const {status, stderr} = run('findings', path);
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'Note: This profile has no GPU work, which most rules need.\n',
    });
  });

  it('writes tables, CSV with a row for each number, and Markdown', () => {
    expect(run('findings', slow).stdout).toMatch(
      /^high {4}Matrix products in fp32 leave the tensor cores unused: 100 %/,
    );
    const csv = run('findings', slow, '--format', 'csv').stdout.split('\n');
    expect(csv[0]).toBe('rule,severity,title,gainAtMostNs,file,line,evidence,value,unit,query');
    expect(run('findings', slow, '--format', 'markdown').stdout).toContain('| Evidence | Value |');
  });

  it('takes one file, and a severity for --fail-on', () => {
    expect(run('findings').status).toBe(2);
    expect(run('findings', slow, '--fail-on', 'grave').status).toBe(2);
  });

  it('asks the rules of a folder, and names those that cannot be asked', () => {
    const rules = join(folder, 'rules');
    mkdirSync(join(rules, 'folder.sql'), {recursive: true});
    const rule = (name: string, lines: readonly string[]) => {
      writeFileSync(join(rules, `${name}.sql`), lines.join('\n'));
    };
    const said = ['-- title: Launches take {value}', '-- advice: Launch less.'];
    const query = "SELECT sum(duration_ns) AS value, 7 AS gain_ns, 'a.py' AS file, 3 AS line FROM kernels; -- all";
    rule('launches', [
      ...said,
      '-- unit: ns',
      '-- silent below: 1e6',
      '-- medium from: 3e6',
      query.replace('; -- all', ' -- all'),
    ]);
    rule('silent', [...said, '-- silent below: 1e12', 'SELECT 1e11 AS value;']);
    rule('none', [...said, 'SELECT NULL AS value']);
    rule('wrong', [...said, 'SELECT nowhere AS value FROM kernels']);
    rule('writes', [...said, 'DELETE FROM kernels']);
    rule('untitled', ['SELECT 1 AS value']);
    rule('script', [...said, '-- link: javascript:alert(1)', 'SELECT 1 AS value']);
    const {status, stderr} = run('findings', slow, '--rules', rules, '--verify');
    expect(status).toBe(0);
    expect(run('findings', slow, '--rules', join(rules, 'none'))).toEqual({
      ...{status: 1, stdout: ''},
      stderr: `gpu-lens: --rules ${join(rules, 'none')} is not a folder.\n`,
    });
    expect(stderr).toMatch(/rules.folder\.sql is not asked: it is not a file\./);
    expect(stderr).toMatch(/rules.untitled\.sql is not asked: it has no line “-- title: …”\./);
    expect(stderr).toMatch(/rules.script\.sql is not asked: its link is not an https address\./);
    expect(stderr).toMatch(/The rule own\/wrong failed: .*nowhere/);
    expect(stderr).toContain('The rule own/writes failed: ');
    const {stdout} = run('findings', slow, '--rules', rules, '--format', 'json');
    const own = (JSON.parse(stdout) as {rule: string}[]).filter(({rule: id}) => id.startsWith('own/'));
    expect(own).toMatchObject([
      {
        rule: 'own/launches',
        severity: 'medium',
        title: 'Launches take 3.00 ms',
        evidence: [{text: 'Launches take …', value: 3_000_000, unit: 'ns'}],
        gainAtMostNs: 7,
        file: 'a.py',
        line: 3,
      },
    ]);
  });

  it('ends a rule that runs too long, names it, and goes on', async () => {
    const client = new SqlClient(join(project, 'dist', 'sql.cjs'));
    const source = {path: slow, cache: null, cacheProgram: null};
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS value FROM n';
    const rule = (name: string, sql: string) => ownRule(name, `-- title: {value}\n-- advice: none\n${sql}`);
    try {
      const {findings, notes} = await findIn(
        (statements, limitMs) => client.cells(source, statements, limitMs === undefined ? {} : {limitMs: 300}),
        [rule('endless', endless), rule('short', 'SELECT 1 AS value')],
      );
      expect(notes).toEqual(['The rule own/endless failed: it ran for more than 0.3 s and was ended.']);
      expect(findings.map(({rule: id}) => id)).toContain('own/short');
    } finally {
      client.dispose();
    }
  });

  it('leaves out what the working directory dismisses, says so, and shows it with --all', () => {
    const workspace = join(folder, 'project');
    mkdirSync(workspace);
    const dismissed = [{rule: 'idle/data-loader', reason: 'the disk is shared'}];
    writeFileSync(join(workspace, '.gpu-lens.json'), JSON.stringify({dismissed}));
    const rulesOf = (stdout: string) => (JSON.parse(stdout) as {rule: string}[]).map(({rule}) => rule);
    const left = runIn(workspace, 'findings', slow, '--format', 'json');
    expect(rulesOf(left.stdout)).toEqual(['precision/fp32-products']);
    expect(left.stderr).toBe('Note: The finding idle/data-loader is dismissed: the disk is shared\n');
    const all = runIn(workspace, 'findings', slow, '--format', 'json', '--all');
    expect(rulesOf(all.stdout)).toEqual(['precision/fp32-products', 'idle/data-loader']);
  });
});
