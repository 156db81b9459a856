// AssemblyScript in src/scanner, compiled to WebAssembly and bundled as bytes: the event scanner, and what makes rows.
import asc from 'assemblyscript/asc';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {writeEventColumns} from './event-columns.mjs';
import {out, root} from './run.mjs';

const source = join(root, 'src', 'scanner');
/** Small functions: V8, which puts one into another where that pays, has compiled them sooner. */
const common = ['-O1', '--converge', '--noAssert', '--runtime', 'stub', '--use', 'abort='];
/** By the name that code imports, less `.wasm`; src/importers/kineto/scanner.d.ts says what that is. */
const programs = {
  scanner: {
    entry: 'index.ts',
    options: [
      ...['--enable', 'simd', '--enable', 'threads'],
      ...['--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65535'],
    ],
  },
  rows: {entry: 'rows.ts', options: []},
};
const specifier = /\/(scanner|rows)\.wasm$/;

/** A program's bytes; compiled once for each state of the sources. */
async function compile(name) {
  await writeEventColumns();
  const {entry, options} = programs[name];
  const args = [entry, '--outFile', `${name}.wasm`, ...common, ...options];
  const hash = createHash('sha256').update(`${asc.version} ${args.join(' ')}`);
  for (const file of readdirSync(source).sort()) hash.update(readFileSync(join(source, file)));
  const target = join(out, 'scanner', `${hash.digest('hex').slice(0, 16)}.wasm`);
  try {
    return readFileSync(target);
  } catch {
    // Not compiled yet.
  }
  let bytes;
  const {error, stderr} = await asc.main(args, {
    readFile: (file, base) => readSource(join(base, file)),
    writeFile: (_, contents) => (bytes = Buffer.from(contents)),
    listFiles: () => [],
  });
  if (error) throw new Error(`${entry} of the scanner does not compile:\n${stderr.toString()}`);
  mkdirSync(join(out, 'scanner'), {recursive: true});
  // Two builds at once must not see each other's half.
  const unfinished = `${target}.${String(process.pid)}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, target);
  return bytes;
}

function readSource(name) {
  try {
    return readFileSync(join(source, name), 'utf8');
  } catch {
    // The compiler tries several names for an import.
    return null;
  }
}

/** The bytes as a module. */
async function moduleOf(name) {
  const base64 = (await compile(name)).toString('base64');
  return `export default Buffer.from('${base64}', 'base64');`;
}

/** For esbuild. */
export const scannerPlugin = {
  name: 'scanner',
  setup(build) {
    build.onResolve({filter: specifier}, ({path}) => ({path: specifier.exec(path)[1], namespace: 'scanner'}));
    build.onLoad({filter: /.*/, namespace: 'scanner'}, async ({path}) => ({
      contents: await moduleOf(path),
      watchDirs: [source],
    }));
  },
};

/** For vitest, which would look for a file where an id ends like one. */
const viteId = '\0compiled-';
export const scannerVitePlugin = {
  name: 'scanner',
  resolveId: id => (specifier.test(id) ? `${viteId}${specifier.exec(id)[1]}` : null),
  load: async id => (id.startsWith(viteId) ? moduleOf(id.slice(viteId.length)) : null),
};
