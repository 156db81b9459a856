import {readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import esbuild from 'esbuild';
import {beforeAll, describe, expect, it} from 'vitest';
import type {openTrace} from '../../src/importers/open-trace.js';
import type {loadReportDetails} from '../../src/importers/report-details.js';
import type {readSliceArguments} from '../../src/importers/slice-arguments.js';
import {opened} from '../support/opened-file.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const importers = join(project, 'src', 'importers');

interface Importers {
  readonly openTrace: typeof openTrace;
  readonly readSliceArguments: typeof readSliceArguments;
  readonly loadReportDetails: typeof loadReportDetails;
}

/** What this file proves to be enough: a folder, here among the fixtures, and a line in the list of formats. */
const added: esbuild.Plugin = {
  name: 'a new format',
  setup(build) {
    build.onLoad({filter: /importers[/\\]formats\.ts$/}, async ({path}) => {
      const source = await readFile(path, 'utf8');
      const contents = source
        .replace('readonly Importer[] = [', 'readonly Importer[] = [dummyImporter, ')
        .replace(/^/, "import {dummyImporter} from './dummy/import-dummy.js';\n");
      return {contents, loader: 'ts', resolveDir: importers};
    });
    build.onResolve({filter: /\/dummy\/import-dummy\.js$/}, () => ({
      path: join(project, 'test', 'fixtures', 'dummy-format', 'import-dummy.ts'),
    }));
    // No file here is scanned by it.
    build.onResolve({filter: /\.wasm$/}, ({path}) => ({path, namespace: 'no-scanner'}));
    build.onLoad({filter: /.*/, namespace: 'no-scanner'}, () => ({contents: 'export default null;'}));
  },
};

describe('a format that is a folder and a line in the list', () => {
  let bundle: Importers;
  const path = join(folder, 'any name');

  beforeAll(async () => {
    const outfile = join(folder, 'importers.cjs');
    await esbuild.build({
      stdin: {
        contents: ['open-trace', 'slice-arguments', 'report-details']
          .map(name => `export * from './${name}.js';`)
          .join('\n'),
        resolveDir: importers,
        loader: 'ts',
      },
      ...{bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'silent'},
      ...{external: ['better-sqlite3'], plugins: [added]},
    });
    await writeFile(path, 'DUMMY gemm');
    const require = createRequire(import.meta.url);
    // The bundle lies outside the checkout, where packages are not found.
    await writeFile(
      outfile,
      (await readFile(outfile, 'utf8')).replaceAll(
        'require("better-sqlite3")',
        `require(${JSON.stringify(require.resolve('better-sqlite3'))})`,
      ),
    );
    bundle = require(outfile) as Importers;
  });

  it('is recognised by its content, and read', async () => {
    const trace = await bundle.openTrace(path);
    expect({format: trace.meta.format, kernels: trace.counts.kernels}).toEqual({format: 'dummy', kernels: 1});
    expect(trace.strings.get(trace.slices.name[0] ?? -1)).toBe('gemm');
  });

  it('tells what more there is of a slice, and what reports need', async () => {
    const trace = await bundle.openTrace(path);
    expect(await bundle.readSliceArguments(await opened(path), trace, 0)).toEqual([{name: 'text', value: 'gemm'}]);
    expect(await bundle.loadReportDetails(path, trace, new Set(['grids']))).toMatchObject({hasShapes: true});
  });

  it('stands in the sentence for a file that nobody knows', async () => {
    const unknown = join(folder, 'picture.png');
    await writeFile(unknown, Buffer.from('89504e470d0a1a0a00', 'hex'));
    await expect(bundle.openTrace(unknown)).rejects.toMatchObject({
      code: 'import/unknown-format',
      message: expect.stringContaining('It opens dummy profiles, Nsight Systems exports, ') as string,
    });
  });
});
