import {splitArguments} from './argument-text.js';
import {taskType, type ProfileDefinition} from './profile-definition.js';

/** What a shell makes something of: variables, pipes, several commands, patterns, assignments. */
const shellWork = /[$`|&;<>(){}*?!~[\]]|^\s*\w+=/;
/** Programs whose command lines train or compute; others (ls, git, cd) are not offered. */
const programs =
  /^(python|pypy|torchrun|accelerate|deepspeed|lightning|fabric|srun|mpirun|mpiexec|uv|poetry|conda|pdm|hatch|bash|sh|zsh|make|\.{0,2}[\\/])/;

/** Whether a line that was typed in a terminal may be worth profiling. */
export function isWorthProfiling(text: string): boolean {
  const trimmed = text.trim();
  const isOurs = /\bgpu-lens\b/.test(trimmed);
  return !isOurs && trimmed.length < 4000 && !trimmed.includes('\n') && programs.test(afterAssignments(trimmed));
}

/**
 * What a shell's command line runs: its words where it has nothing but words, else that shell with the line as one
 * argument, as it was typed there.
 *
 * @param shell the shell that the line was written for
 */
export function shellLineDefinition(text: string, shell: string): ProfileDefinition {
  const trimmed = text.trim();
  if (shellWork.test(trimmed)) {
    const name = (shell.split(/[\\/]/).at(-1) ?? '').toLowerCase();
    const flag =
      name.startsWith('pwsh') || name.startsWith('powershell') ? '-Command' : name === 'cmd.exe' ? '/c' : '-c';
    return {type: taskType, command: shell, args: [flag, trimmed]};
  }
  const [command = '', ...args] = splitArguments(trimmed);
  return {type: taskType, command, args};
}

/** `CUDA_VISIBLE_DEVICES=0 python train.py` is about python. */
function afterAssignments(text: string): string {
  return text.replace(/^(\w+=\S*\s+)+/, '');
}
