/** The length of a name in a sentence: names of kernels can have thousands of characters. */
const mostLetters = 160;

/** Cuts the end of a long name. */
export function shortened(name: string): string {
  if (name.length <= mostLetters) return name;
  // Half of a surrogate pair is not a character.
  return `${name.slice(0, mostLetters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
