/** What people are told where "Go to source" finds no line for a range. */
export function noLineOpens(name: string): string {
  return `No file of this workspace opens "${name}".`;
}
