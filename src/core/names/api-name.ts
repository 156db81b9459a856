/**
 * Returns an API call's name as in nsys's reports: without an ABI version of exactly four digits.
 *
 *     cudaLaunchKernel_v7000 → cudaLaunchKernel        cudaGraphLaunch_v10000 stays
 */
export function reportApiName(name: string): string {
  return name.slice(-6, -4) === '_v' ? name.slice(0, -6) : name;
}
