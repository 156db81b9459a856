import {isPython} from './python-interpreter.js';

/** Programs that run the program or script named by an argument. */
const starters = /^((ba|z|da)?sh|srun|torchrun|mpirun)$/;

/**
 * Returns the display name of a command: the script or module it runs, else its program.
 *
 *     torchrun --nproc-per-node 2 train.py      train.py
 *     python -m pkg.train                       pkg.train
 *     bash run                                  run
 */
export function commandName([program = '', ...args]: readonly string[]): string {
  const name = lastPart(program);
  const takesModule = isPython(program) || name === 'torchrun';
  if (!takesModule && !starters.test(name)) return name;
  const at = args.findIndex(argument => isScript(argument) || isPython(argument) || (takesModule && argument === '-m'));
  const found = args.at(at);
  if (at >= 0 && found !== undefined) {
    if (found === '-m') return args.at(at + 1) ?? name;
    return isScript(found) ? lastPart(found) : commandName(args.slice(at));
  }
  const first = isPython(program) ? undefined : args.find(argument => !argument.startsWith('-'));
  return first === undefined ? name : lastPart(first);
}

/** Returns the last part of a path, of this system or Windows. */
export function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

function isScript(argument: string): boolean {
  return /\.(pyw?|sh)$/i.test(argument);
}
