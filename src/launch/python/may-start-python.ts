import {isAbsolute, resolve} from 'node:path';
import {lastPart} from './command-name.js';
import {findOnPath, isProgram, isScript} from '../programs/find-program.js';
import {isPython} from './python-interpreter.js';

/** Compiled programs that run the commands or files in their arguments: shells, launchers, managers. */
const starters =
  /^((ba|z|da|k|fi|c|tc)?sh|busybox|cmd|pwsh|powershell|srun|salloc|mpirun|mpiexec(\.hydra)?|orterun|prterun|env|time|nohup|nice|ionice|timeout|stdbuf|setsid|taskset|numactl|flock|sudo|tini|screen|tmux|gdb|strace|perf|xvfb-run|g?make|ninja|cmake|ctest|just|uvx?|pixi|conda|mamba|micromamba|node|deno|bun|docker|podman|apptainer|singularity|ssh|nsys|ncu)$/i;

/**
 * Returns whether a command can start a Python: it is one, a script that an interpreter reads, or a program that starts
 * others. Any other compiled program has no Python to record. A program that is not found counts as one that can.
 *
 * @param cwd the folder in which the program is started
 */
export async function mayStartPython(
  [program = '']: readonly string[],
  cwd: string,
  searchPath?: string,
): Promise<boolean> {
  if (isPython(program) || starters.test(lastPart(program).replace(/\.exe$/i, ''))) return true;
  const isPath = isAbsolute(program) || /[\\/]/.test(program);
  const path = isPath ? resolve(cwd, program) : await findOnPath(program, searchPath);
  return path === null || !(await isCompiled(path));
}

/** Returns whether a file exists and has no line that names an interpreter. */
async function isCompiled(path: string): Promise<boolean> {
  if (/\.(py|pyw|sh|bat|cmd|ps1)$/i.test(path)) return false;
  return (await isProgram(path)) && !(await isScript(path));
}
