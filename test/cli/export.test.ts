import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {PNG} from 'pngjs';
import {describe, expect, it} from 'vitest';
import {partialPath} from '../../src/importers/files/partial-files.js';
import {run} from '../support/command-line.js';
import {partialOfEndedProcess} from '../support/ended-process.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {modelTrace} from '../support/model-trace.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const trace = join(folder, 'model.json');
writeFileSync(trace, modelTrace(2, 3));

/** A trace of so many ranges in each other, and a kernel in the innermost. */
function nestedRanges(count: number, name: string): string {
  const ranges = Array.from({length: count}, (_, at) => ({
    ...{ph: 'X', cat: 'user_annotation', name: `${name} ${String(at)}`, pid: 1, tid: 1},
    ...{ts: at, dur: 3 * count - 2 * at},
  }));
  const call = {ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: count + 1, dur: 1};
  const kernel = {ph: 'X', cat: 'kernel', name: 'k', pid: 0, tid: 7, ts: count + 5, dur: 10};
  return JSON.stringify({
    schemaVersion: 1,
    traceEvents: [
      ...ranges,
      {...call, args: {correlation: 7}},
      {...kernel, args: {correlation: 7, device: 0, stream: 7}},
    ],
  });
}

/** Red, green and blue of a hue in degrees, a saturation and a lightness in percent. @see CSS Color Module Level 4, § 7.1 */
function rgbOf([hue = 0, saturation = 0, lightness = 0]: readonly number[]): number[] {
  const light = lightness / 100;
  const most = (saturation / 100) * Math.min(light, 1 - light);
  return [0, 8, 4].map(offset => {
    const k = (offset + hue / 30) % 12;
    return 255 * (light - most * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

const sumOf = (folded: string) =>
  folded
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

describe('gpu-lens flame', () => {
  it('writes folded stacks that add up to GPU work and busy of gpu-lens info', () => {
    const info = JSON.parse(run('info', trace, '--format', 'json').stdout) as {gpu: {workNs: number; spanNs: number}};
    expect(sumOf(run('flame', trace).stdout)).toBe(info.gpu.workNs);
    expect(sumOf(run('flame', trace, '--weight', 'gpu-busy').stdout)).toBe(info.gpu.spanNs);
  });

  it('adds up to gpu-lens ranges of the same selection', () => {
    const rows = JSON.parse(run('ranges', trace, '--step', '1', '--format', 'json').stdout) as {gpuSelfNs: number}[];
    const selfNs = rows.reduce((sum, row) => sum + row.gpuSelfNs, 0);
    expect(sumOf(run('flame', trace, '--step', '1').stdout)).toBe(selfNs);
  });

  it('folds layers, leaves out levels, and inverts', () => {
    const {stdout} = run('flame', trace, '--fold', '--levels', 'ranges,operations', '--mode', 'inverted');
    expect(stdout).toMatch(/^ampere_sgemm_128x64_tn;attention;layer_\*;ProfilerStep\* \d+$/m);
  });

  it('shows what threads did where nothing ran on a GPU and no weight is asked for', () => {
    const cpu = join(folder, 'cpu.json');
    const range = {ph: 'X', cat: 'user_annotation', name: 'forward', pid: 1, tid: 1, ts: 0, dur: 9};
    writeFileSync(cpu, JSON.stringify({schemaVersion: 1, traceEvents: [range]}));
    expect(run('flame', cpu)).toEqual({
      status: 0,
      stdout: 'forward 9000\n',
      stderr: 'Note: There is no GPU work in this profile. GPU Lens shows CPU time instead.\n',
    });
    expect(run('flame', cpu, '--weight', 'gpu-work').stdout).toBe('');
    const out = join(folder, 'cpu.svg');
    run('export', cpu, '--to', 'svg', '-o', out);
    expect(readFileSync(out, 'utf8')).toContain('>forward</text>');
  });

  it.each([
    ['speedscope', '{"$schema":"https://www.speedscope.app/file-format-schema.json"'],
    ['json', '{\n "weight": "gpu-work"'],
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"'],
  ])('writes %s', (format, start) => {
    expect(run('flame', trace, '--format', format).stdout.startsWith(start)).toBe(true);
  });

  it.each([
    [['--weight', 'heat'], 'gpu-lens: --weight takes gpu-work, gpu-busy, cpu, launches, bytes, memory; not "heat".'],
    [['--levels', 'ranges,x'], 'gpu-lens: --levels takes ranges, modules, operators, operations; not "x".'],
    [
      ['--pass', 'forward', '--weight', 'cpu'],
      'gpu-lens: --pass tells GPU work apart: it does not go with --weight cpu.',
    ],
    [['--focus', 'x'], 'gpu-lens: --focus goes with --mode sandwich.'],
    [['--format', 'csv'], 'gpu-lens: --format takes folded, speedscope, svg, json; not "csv".'],
  ])('takes no %j', (options, message) => {
    const {status, stderr} = run('flame', trace, ...options);
    expect({status, stderr}).toEqual({status: 2, stderr: `${message} See gpu-lens flame --help.\n`});
  });

  it.each([['flame'], ['export', '--to', 'folded', '-o', join(folder, 'none')], ['export', '--to', 'html', '-o', 'x']])(
    '%s refuses a device that is not there',
    (command, ...options) => {
      expect(run(command, trace, '--device', '99', ...options)).toMatchObject({
        ...{status: 1, stdout: ''},
        stderr: 'gpu-lens: This profile has nothing on device 99; it has device 0.\n',
      });
    },
  );

  it('flame takes a device that does not limit what it shows', () => {
    const cpu = ['--weight', 'cpu'];
    expect(run('flame', trace, ...cpu, '--device', '99').stdout).toBe(run('flame', trace, ...cpu).stdout);
  });

  it('says so where no block has the name of a sandwich', () => {
    const {status, stderr} = run('flame', trace, '--mode', 'sandwich', '--focus', 'nothing');
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: 'gpu-lens: No block of this flame graph is called "nothing".\n',
    });
  });
});

describe('gpu-lens export', () => {
  it('writes figures of the selection alone, and says so', () => {
    const out = join(folder, 'step.md');
    run('export', trace, '--to', 'markdown', '--step', '1', '-o', out);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('| Selection | step 1: flame graph and tables are of it alone |');
    const kernels = JSON.parse(
      run('stats', trace, '-r', 'cuda_gpu_kern_sum', '--step', '1', '--format', 'json').stdout,
    ) as {Name: string; 'Total Time (ns)': number}[];
    expect(kernels.length).toBeGreaterThan(0);
    for (const {Name, 'Total Time (ns)': ns} of kernels) {
      expect(text).toMatch(new RegExp(`\\| ${String(ns)} \\|.*\\| ${Name} \\|`));
    }
    expect(text).toContain('## CUDA API Summary');
  });

  it('writes the work of one pass alone', () => {
    const kernelsOf = (path: string, ...options: string[]) =>
      run('stats', path, '-r', 'cuda_gpu_kern_sum', '--format', 'json', ...options).stdout;
    const out = (pass: string, end: string) => join(folder, `${pass}.${end}`);
    for (const pass of ['forward', 'backward']) {
      for (const to of ['pytorch', 'perfetto', 'html']) {
        expect(run('export', trace, '--to', to, '--pass', pass, '-o', out(pass, to))).toMatchObject({status: 0});
      }
      expect(kernelsOf(out(pass, 'pytorch'))).toBe(kernelsOf(trace, '--pass', pass));
      expect(kernelsOf(out(pass, 'perfetto'))).toBe(kernelsOf(trace, '--pass', pass));
      expect(readFileSync(out(pass, 'html'), 'utf8')).toContain(`${pass}: flame graph and tables are of it alone`);
    }
    const tablesOf = (pass: string) => readFileSync(out(pass, 'html'), 'utf8').split('<h2>').slice(2).join();
    expect(tablesOf('forward')).not.toBe(tablesOf('backward'));
    expect(kernelsOf(trace, '--pass', 'backward')).not.toBe(kernelsOf(trace));
  });

  it('takes a time window, which is that of gpu-lens flame', () => {
    const out = join(folder, 'window.folded');
    const of = (...options: string[]) => run('flame', trace, ...options).stdout;
    run('export', trace, '--to', 'folded', '--window', '0:30us', '-o', out);
    expect(readFileSync(out, 'utf8')).toBe(of('--from', '0', '--to', '30000'));
    expect(readFileSync(out, 'utf8')).not.toBe(of());
  });

  it.each([
    ['perfetto', /^\{"schemaVersion":1/],
    ['csv', /^startNs,durationNs/],
    ['html', /^<!DOCTYPE html>[^]*<svg[^]*ampere_sgemm_128x64_tn/],
    ['markdown', /^# model\.json\n[^]*\| ProfilerStep#0\/layer_0 \|/],
    ['speedscope', /^\{"\$schema"/],
    ['folded', /^ProfilerStep\*;layer_0;attention;aten::linear;ampere_sgemm_128x64_tn \d+\n/],
    ['svg', /^<svg/],
  ])('writes %s', (to, content) => {
    const out = join(folder, `out.${to}`);
    expect(run('export', trace, '--to', to, '-o', out)).toEqual({status: 0, stdout: '', stderr: ''});
    expect(readFileSync(out, 'utf8')).toMatch(content);
  });

  it('writes PNG as large as SVG, with each block in its place and colour', () => {
    const [svgFile, pngFile] = [join(folder, 'picture.svg'), join(folder, 'picture.png')];
    run('export', trace, '--to', 'svg', '-o', svgFile);
    expect(run('export', trace, '--to', 'png', '-o', pngFile)).toEqual({status: 0, stdout: '', stderr: ''});
    const svg = readFileSync(svgFile, 'utf8');
    const {width, height, data} = PNG.sync.read(readFileSync(pngFile));
    expect(svg).toContain(`width="${String(width)}" height="${String(height)}"`);
    const blocks = [
      ...svg.matchAll(
        /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="19" fill="hsl\(([\d.]+) ([\d.]+)% ([\d.]+)%\)"/g,
      ),
    ].map(([, ...figures]) => figures.map(Number));
    const wide = blocks.filter(([, , widthPx = 0]) => widthPx > 3);
    expect(wide.length).toBeGreaterThan(20);
    for (const [leftPx = 0, topPx = 0, , ...color] of wide) {
      const at = (topPx * width + Math.ceil(leftPx) + 1) * 4;
      rgbOf(color).forEach((value, channel) => {
        expect(Math.abs((data[at + channel] ?? NaN) - value)).toBeLessThanOrEqual(1);
      });
    }
  });

  it('writes the first rows of a picture that is too high for PNG, and says so, as it does of letters', () => {
    const [deep, out] = [join(folder, 'deep.json'), join(folder, 'deep.png')];
    writeFileSync(deep, nestedRanges(1000, '前向'));
    const {status, stderr} = run('export', deep, '--to', 'png', '-o', out);
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: `Note: It has the first 819 of 1,002 rows: SVG has all.
Note: Letters of names that are neither Latin, Greek nor Cyrillic may be boxes in this PNG: SVG has them all.
`,
    });
    expect(PNG.sync.read(readFileSync(out)).height).toBe(16_384);
  });

  it('writes a Perfetto file that has the same figures', () => {
    const out = join(folder, 'again.json');
    run('export', trace, '--to', 'perfetto', '-o', out);
    expect(run('ranges', out).stdout).toBe(run('ranges', trace).stdout);
  });

  it('removes what a killed export left in the folder, and nothing else', () => {
    const there = mkdtempSync(join(folder, 'left-'));
    const left = partialOfEndedProcess(join(there, 'large.csv'));
    const kept = [
      partialPath(join(there, 'now.csv')),
      join(there, 'mine.partial'),
      join(there, 'large.csv.0a.partial'),
    ];
    for (const path of [left, ...kept]) writeFileSync(path, 'half');
    expect(run('export', trace, '--to', 'csv', '-o', join(there, 'out.csv')).status).toBe(0);
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(there).sort()).toEqual([...kept.map(path => basename(path)), 'out.csv'].sort());
  });

  it('writes no characters that a terminal obeys to Perfetto’s format, but for --exact', () => {
    const name = 'a\u009b31m\u202eb';
    const hostile = join(folder, 'hostile.json');
    writeFileSync(hostile, kinetoText([{...kineto.range('x', 0, 10), name}]));
    const out = join(folder, 'hostile.perfetto.json');
    run('export', hostile, '--to', 'perfetto', '-o', out);
    const text = readFileSync(out, 'utf8');
    expect(text).not.toMatch(/[\u007f-\u009f\u202a-\u202e]/);
    expect(text).toContain(String.raw`"a\u009b31m\u202eb"`);
    expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(name));
    run('export', hostile, '--to', 'perfetto', '-o', out, '--exact');
    expect(readFileSync(out, 'utf8')).toContain(name);
  });

  it('leaves nothing behind where it cannot write', () => {
    const taken = join(folder, 'taken');
    mkdirSync(taken, {recursive: true});
    for (const to of ['csv', 'png']) {
      const {status, stderr} = run('export', trace, '--to', to, '-o', taken);
      expect({status, stderr}).toEqual({
        status: 1,
        stderr: `gpu-lens: ${taken} cannot be written: it is not a regular file.\n`,
      });
    }
    expect(readdirSync(folder).filter(name => name.endsWith('.partial'))).toEqual([]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it.each(['pytorch', 'perfetto'])('writes one step alone to %s, compressed, with the same figures', to => {
    const part = join(folder, `step.${to}.json.gz`);
    const {status, stderr} = run('export', trace, '--to', to, '--step', '1', '-o', part);
    expect(status).toBe(0);
    expect(stderr).toMatch(/Note: The file has \d+ of \d+ GPU operations and \d+ of \d+ slices/);
    expect(readFileSync(part).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    const sum = (path: string, ...selection: string[]) =>
      run('stats', path, '-r', 'cuda_gpu_kern_sum', '--format', 'json', ...selection).stdout;
    // Without a selection, too: no other step's kernels are in it.
    expect(sum(part)).toBe(sum(trace, '--step', '1'));
    expect(sum(part, '--step', '1')).toBe(sum(trace, '--step', '1'));
    expect(sum(part)).not.toBe(sum(trace));
    const ranges = (path: string) => run('ranges', path, '--by', 'path', '--step', '1', '--format', 'json').stdout;
    expect(ranges(part)).toBe(ranges(trace));
  });

  it.each([
    [
      ['--to', 'pdf', '-o', 'x'],
      '--to takes perfetto, pytorch, parquet, csv, html, markdown, speedscope, folded, svg, png; not "pdf".',
    ],
    [['-o', 'x'], 'export needs --to: perfetto, pytorch, parquet, csv, html, markdown, speedscope, folded, svg, png.'],
    [['--to', 'csv'], 'export needs -o and the file to write.'],
    [
      ['--to', 'html', '-o', 'x', '--window', '20:10ms'],
      '--window takes a time and a later one, such as 10:20ms, not "20:10ms".',
    ],
    [
      ['--to', 'parquet', '-o', 'x', '--pass', 'forward'],
      '--to parquet writes the whole profile: it takes no selection.',
    ],
    [['--to', 'parquet', '-o', 'x', '--step', '1'], '--to parquet writes the whole profile: it takes no selection.'],
  ])('takes no %j', (options, message) => {
    const {status, stderr} = run('export', trace, ...options);
    expect({status, stderr}).toEqual({status: 2, stderr: `gpu-lens: ${message} See gpu-lens export --help.\n`});
  });
});
