import type {Command} from './command.js';
import {documentedOptions} from './documented-options.js';

/**
 * Returns what the last of the words can become, for a shell that asks at each Tab; none if it is the name of a file.
 *
 * @param words after `gpu-lens`; the last is being typed, and may be empty
 */
export function completionsOf(commands: readonly Command[], words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [name] = before;
  return candidates().filter(candidate => candidate.startsWith(typed));

  function candidates(): string[] {
    const names = commands.map(command => command.name);
    if (name === undefined) return [...names, 'help', '--help', '--version'];
    if (name === 'help' && before.length === 1) return names;
    const command = commands.find(candidate => candidate.name === name);
    // After `--` follows another program's command line.
    if (!command || before.includes('--')) return [];
    const options = documentedOptions(command);
    // Bash splits "--by=name" into three words.
    const last = typed === '=' ? before.at(-1) : before.findLast(word => word !== '=');
    const given = options.find(option => option.name === last && option.value !== null);
    if (given) return [...given.words];
    return typed.startsWith('-') ? options.map(option => option.name) : [...(command.words ?? [])];
  }
}

/** The shells that can ask, with the text that each reads. */
export const shellScripts = {
  bash: `# gpu-lens completion bash > ~/.local/share/bash-completion/completions/gpu-lens
_gpu_lens() {
  local IFS=$'\\n'
  COMPREPLY=($(gpu-lens completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _gpu_lens gpu-lens
`,
  zsh: `#compdef gpu-lens
# gpu-lens completion zsh > a folder of $fpath, as _gpu-lens
_gpu_lens() {
  local -a found
  found=("\${(@f)$(gpu-lens completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _gpu-lens ]]; then _gpu_lens "$@"; else compdef _gpu_lens gpu-lens; fi
`,
  fish: `# gpu-lens completion fish > ~/.config/fish/completions/gpu-lens.fish
function __gpu_lens
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    gpu-lens completion --words -- $words "$current" 2>/dev/null
end
complete -c gpu-lens -a '(__gpu_lens)'
`,
} as const;
