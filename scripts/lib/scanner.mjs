// Compiles the AssemblyScript in src/scanner to WebAssembly, bundled as bytes: the event scanner, and the row maker.
import asc from 'assemblyscript/asc';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {writeEventColumns} from './event-columns.mjs';
import {out, root} from './run.mjs';

const source = join(root, 'src', 'scanner');
/** Small functions: V8 compiles them sooner, and inlines them where that pays. */
const common = ['-O1', '--converge', '--noAssert', '--runtime', 'stub', '--use', 'abort='];
/** By the imported name, without `.wasm`; described in src/importers/kineto/scanner.d.ts. */
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

/** Returns a program's bytes, compiled once for each state of the sources. */
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
  // Two simultaneous builds must not see each other's incomplete file.
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

/** Returns the bytes as a module. */
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

/** For vitest, which would search for a file if the id ended like one. */
const viteId = '\0compiled-';
export const scannerVitePlugin = {
  name: 'scanner',
  resolveId: id => (specifier.test(id) ? `${viteId}${specifier.exec(id)[1]}` : null),
  load: async id => (id.startsWith(viteId) ? moduleOf(id.slice(viteId.length)) : null),
};
