import {isAbsolute, resolve} from 'node:path';
import {lastPart} from './command-name.js';
import {findOnPath, isProgram, isScript} from '../programs/find-program.js';
import {isPython} from './python-interpreter.js';

/** Compiled programs that run what their arguments name, or a file of theirs: shells, launchers, managers. */
const starters =
  /^((ba|z|da|k|fi|c|tc)?sh|busybox|cmd|pwsh|powershell|srun|salloc|mpirun|mpiexec(\.hydra)?|orterun|prterun|env|time|nohup|nice|ionice|timeout|stdbuf|setsid|taskset|numactl|flock|sudo|tini|screen|tmux|gdb|strace|perf|xvfb-run|g?make|ninja|cmake|ctest|just|uvx?|pixi|conda|mamba|micromamba|node|deno|bun|docker|podman|apptainer|singularity|ssh|nsys|ncu)$/i;

/**
 * Whether a command can lead to a Python: it is one, a text that some interpreter reads, or a program that starts
 * others. What is compiled and no such program holds no Python to record; of a program that is not found nothing is known.
 *
 * @param cwd the folder that the program is started in
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

/** Whether a file is there that no line of its own names an interpreter of. */
async function isCompiled(path: string): Promise<boolean> {
  if (/\.(py|pyw|sh|bat|cmd|ps1)$/i.test(path)) return false;
  return (await isProgram(path)) && !(await isScript(path));
}
