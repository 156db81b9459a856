import {parsePython} from '../python-tags.js';
import {longestSource} from '../tag-reader.js';
import {findImports} from './imports.js';

const isTorch = (module: string) => module === 'torch' || module.startsWith('torch.');

/** Returns whether a Python text imports torch or a module of torch, wherever the import stands. */
export function importsTorch(text: string): boolean {
  // Most texts never name it, and parsing them would take longer.
  if (text.length > longestSource || !/\btorch\b/.test(text)) return false;
  const {names, stars} = findImports(parsePython(text, null).tree, text);
  return [...names.values(), ...stars].some(isTorch);
}
