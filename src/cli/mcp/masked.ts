import {homedir} from 'node:os';

const hidden = '***';
const secretWord = 'TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE';
/** Names of environment variables whose values are secret. */
const variable = new RegExp(`^(?:[A-Z][A-Z0-9_]*_)?(?:${secretWord})(?:_[A-Z0-9_]+)?$`);
/** Names of settings like them. A token alone is a word of a language model's: `pad_token`, `tokens`. */
const setting =
  /^(?:\w+[_-])?(?:password|passwd|passphrase|secret|credentials?|api[_-]?key|access[_-]?key|private[_-]?key|(?:access|auth|api|hf|github|gitlab|bearer|refresh|wandb)[_-]?token)$/i;
/** The same in the words of a text: `NAME=value`, `--name value`, `"name": "value"`. */
const assigned = /((?<![\w-])(?:--?)?([A-Za-z][\w-]*)["']?(?:\s*[=:]\s*["']?|(?<=--?[\w-]+) ))([^\s"',;&]{3,})/g;
/** The formats of services' keys. */
const knownKeys = [
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|sk-[\w-]{16,}|npm_\w{20,}|pypi-[\w-]{16,})/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bxox[abprs]-[\w-]{10,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const inAddress = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
/** Shorter values occur in many texts by chance. */
const leastSecret = 8;
const longestName = 80;
/** The rest of a text is left out: no answer shows this much. */
const longestText = 4000;

/**
 * Returns a function that takes secrets out of texts: values of variables with telling names, keys as services make them,
 * passwords in addresses; and the home folder, which names a person. Paths below the first root become relative to it.
 *
 * @param root the folder that paths are given from
 * @param env the variables of this process
 */
export function masker(root: string, env: NodeJS.ProcessEnv): (text: string) => string {
  const values = Object.entries(env)
    .filter(([name, value]) => isSecretName(name.toUpperCase()) && (value ?? '').length >= leastSecret)
    .map(([, value]) => value ?? '');
  const home = homedir();
  return text => {
    let masked = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
    for (const value of values) masked = masked.replaceAll(value, hidden);
    for (const keys of knownKeys) masked = masked.replace(keys, hidden);
    masked = masked.replace(inAddress, `$1${hidden}@`).replace(bearer, `$1 ${hidden}`);
    masked = masked.replace(assigned, (all, before: string, name: string) =>
      isSecretName(name) ? before + hidden : all,
    );
    masked = withoutFolder(masked, root, '.');
    return home.length > 1 ? withoutFolder(masked, home, '~') : masked;
  };
}

/** Writes paths below a folder as relative ones; another folder whose name begins the same stays. */
function withoutFolder(text: string, folder: string, as: string): string {
  const parts = text.split(folder);
  return parts.reduce((made, part) => {
    if (/^[/\\]/.test(part)) return made + (as === '.' ? part.slice(1) : as + part);
    return made + (/^[\w.-]/.test(part) ? folder : as) + part;
  });
}

/**
 * Returns a value of JSON with its texts masked. In an object whose key, or whose text beside it, is the name of a
 * secret (`{"name": "HF_TOKEN", "value": "…"}`), the texts are hidden.
 */
export function maskedValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map(item => maskedValue(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isOfSecret = entries.some(([, of]) => typeof of === 'string' && isSecretName(of));
  return Object.fromEntries(
    entries.map(([key, of]) => {
      const isSecret = typeof of === 'string' && (isSecretName(key) || (isOfSecret && !isSecretName(of)));
      return [mask(key), isSecret ? hidden : maskedValue(of, mask)];
    }),
  );
}

/** Whether a text is nothing but the name of a secret: `AWS_SECRET_ACCESS_KEY`, `api-key`. */
function isSecretName(text: string): boolean {
  return text.length <= longestName && (variable.test(text) || setting.test(text));
}
