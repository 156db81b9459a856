import {relative} from 'node:path';
import {isFields} from '../../core/base/read-json.js';

/** Returns Python code that defines `%%gpulens` in the kernel, even if it was loaded before. */
export function setUpCode(runner: string): string {
  const folder = JSON.stringify(runner);
  return `import sys
${folder} in sys.path or sys.path.append(${folder})
"gpulens" in get_ipython().magics_manager.magics["cell"] or get_ipython().extension_manager.load_extension("gpulens");`;
}

/** Returns the first profile in a mark that is in its folder; null for none. */
export function firstProfile(mark: unknown, folder: string): string | null {
  const profiles: unknown = isFields(mark) && mark['version'] === 1 ? mark['profiles'] : null;
  if (!Array.isArray(profiles)) return null;
  const inside = profiles.filter((path): path is string => typeof path === 'string' && isInside(path, folder));
  return inside[0] ?? null;
}

function isInside(path: string, folder: string): boolean {
  const name = relative(folder, path);
  return name !== '..' && /^[^\\/]+$/.test(name);
}
