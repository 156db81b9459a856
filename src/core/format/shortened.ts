/** Letters of a name that fit into a sentence: names of kernels can have thousands. */
const mostLetters = 160;

/** A name with its end left out where it is long. */
export function shortened(name: string): string {
  if (name.length <= mostLetters) return name;
  // Half of a pair is no letter.
  return `${name.slice(0, mostLetters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
