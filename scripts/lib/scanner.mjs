// The event scanner: AssemblyScript in src/scanner, compiled to WebAssembly and bundled as bytes.
import asc from 'assemblyscript/asc';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {out, root} from './run.mjs';

const source = join(root, 'src', 'scanner');
/** What code imports; src/importers/kineto/scanner.d.ts says what it is. */
const specifier = /\/scanner\.wasm$/;
const options = [
  ...['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
  ...['--enable', 'simd', '--enable', 'threads', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65535'],
];

/** The scanner's bytes; compiled once for each state of its source. */
export async function compileScanner() {
  const hash = createHash('sha256').update(`${asc.version} ${options.join(' ')}`);
  for (const file of readdirSync(source).sort()) hash.update(readFileSync(join(source, file)));
  const target = join(out, 'scanner', `${hash.digest('hex').slice(0, 16)}.wasm`);
  try {
    return readFileSync(target);
  } catch {
    // Not compiled yet.
  }
  let bytes;
  const {error, stderr} = await asc.main(['index.ts', '--outFile', 'scanner.wasm', ...options], {
    readFile: (name, base) => readSource(join(base, name)),
    writeFile: (_, contents) => (bytes = Buffer.from(contents)),
    listFiles: () => [],
  });
  if (error) throw new Error(`The scanner does not compile:\n${stderr.toString()}`);
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
async function scannerModule() {
  const base64 = (await compileScanner()).toString('base64');
  return `export default Buffer.from('${base64}', 'base64');`;
}

/** For esbuild. */
export const scannerPlugin = {
  name: 'scanner',
  setup(build) {
    build.onResolve({filter: specifier}, () => ({path: 'scanner.wasm', namespace: 'scanner'}));
    build.onLoad({filter: /.*/, namespace: 'scanner'}, async () => ({
      contents: await scannerModule(),
      watchDirs: [source],
    }));
  },
};

/** For vitest. */
export const scannerVitePlugin = {
  name: 'scanner',
  resolveId: id => (specifier.test(id) ? '\0event-scanner' : null),
  async load(id) {
    if (id !== '\0event-scanner') return null;
    return scannerModule();
  },
};
