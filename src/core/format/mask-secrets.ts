const shown = '•••';

/** Names whose values are secret, as the last words of an option or of a variable. */
const secretName =
  /(?:^|[-_.])(?:api[-_]?key|access[-_]?key|secret[-_]?key|private[-_]?key|(?<!(?:pad|eos|bos|unk|mask|sep|cls|stop|image)[-_])token|secret|password|passwd|pwd|passphrase|credentials?|auth|bearer)$/i;
const secretVariable = /^[A-Z0-9_]*KEY$/;
/** Values that are recognisable as secrets: keys of Hugging Face, OpenAI, GitHub, AWS, Slack, Google, JWT. */
const secretValue =
  /\b(?:hf_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{8,}|gh[opsur]_[A-Za-z0-9]{8,}|github_pat_\w{8,}|AKIA[0-9A-Z]{12,}|xox[abprs]-[\w-]{8,}|AIza[\w-]{20,}|wandb_v\d_\w{8,}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*)/g;
/**
 * A key of Weights & Biases has 40 hexadecimal digits, like a commit, so it is masked only if it is a whole argument.
 */
const hexKey = /^[0-9a-f]{40}$/;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/**
 * Returns arguments of a command that are safe to show and store: "•••" replaces values of options and variables with
 * secret names (`--api-key X`, `--token=X`, `WANDB_API_KEY=X`), and values that look like keys.
 */
export function maskSecrets(args: readonly string[]): string[] {
  return args.map((argument, at) => {
    const before = at > 0 ? args[at - 1] : '';
    const isValue = before.startsWith('-') && !before.includes('=') && secretName.test(before);
    return isValue && !argument.startsWith('-') ? shown : maskSecret(argument);
  });
}

/** Returns one argument, or a text, with everything masked that looks like a secret. */
export function maskSecret(text: string): string {
  const [, name = ''] = /^([^=\s]+)=./s.exec(text) ?? [];
  if (secretName.test(name) || secretVariable.test(name)) return `${name}=${shown}`;
  if (hexKey.test(text)) return shown;
  return text.replace(secretValue, shown).replace(urlPassword, `$1${shown}@`);
}
