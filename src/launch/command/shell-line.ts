import {splitArguments} from './argument-text.js';
import {lastPart} from '../python/command-name.js';
import {taskType, type ProfileDefinition} from './profile-definition.js';

/** Shell syntax: variables, pipes, several commands, patterns, assignments. */
const shellWork = /[$`|&;<>(){}*?!~[\]]|^\s*\w+=/;
/** Programs whose command lines train or compute; others (ls, git, cd) are not offered. */
const programs =
  /^((python|pypy)w?[\d.]*|torchrun|accelerate|deepspeed|lightning|fabric|composer|colossalai|pytest|py\.test|srun|mpirun|mpiexec|uvx?|poetry|conda|mamba|micromamba|pdm|pixi|hatch|(ba|z|da|k)?sh|make|ninja|just)(\.exe)?$/i;
/** Programs that run the command after them. */
const prefixes = /^(time|nohup|env|nice|sudo|setsid|stdbuf|numactl|taskset|exec|command)$/;

/** Returns whether a line typed in a terminal may be worth profiling: one of its commands trains, computes or is a path. */
export function isWorthProfiling(text: string): boolean {
  const trimmed = text.trim();
  if (/\bgpu-lens\b/.test(trimmed) || trimmed.length >= 4000 || trimmed.includes('\n')) return false;
  // `cd src && python train.py` and `source .venv/bin/activate && python train.py` are about python.
  return trimmed.split(/&&|;/).some(command => {
    const program = programOf(command.trim().split(/\s+/));
    return program !== undefined && (/[\\/]/.test(program) || programs.test(lastPart(program)));
  });
}

/**
 * Returns a definition of what a shell's command line runs: its words if it has no shell syntax, else the shell with
 * the line as one argument, unchanged.
 *
 * @param shell the shell that the line was written for
 */
export function shellLineDefinition(text: string, shell: string): ProfileDefinition {
  const trimmed = text.trim();
  const name = lastPart(shell).toLowerCase();
  const flag = name.startsWith('pwsh') || name.startsWith('powershell') ? '-Command' : name === 'cmd.exe' ? '/c' : '-c';
  const [command = '', ...args] = splitArguments(trimmed, flag !== '-c');
  // `time`, `exec` and `command` are shell built-ins.
  if (shellWork.test(trimmed) || /^(time|exec|command)$/.test(command)) {
    return {type: taskType, command: shell, args: [flag, trimmed]};
  }
  return {type: taskType, command, args};
}

/**
 * Returns the word that names the program to run. Skips assignments (`CUDA_VISIBLE_DEVICES=0 python train.py`) and
 * programs that run another one, with their options.
 */
function programOf(words: readonly string[]): string | undefined {
  const at = words.findIndex(word => !/^\w+=/.test(word));
  const program = words[at];
  if (program === undefined || !prefixes.test(program)) return program;
  const rest = words.slice(at + 1);
  // An option's value may be a separate word: `nice -n 5 python`, `sudo -u me python`.
  return rest.find(word => programs.test(lastPart(word))) ?? rest.find(word => !/^-|^\w+=|^[\d.,-]+$/.test(word));
}
