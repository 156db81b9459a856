/**
 * File extensions of profiles, for dialogs. A test compares them with the importers' list of formats, which the host
 * does not import.
 */
export const profileEndings: readonly string[] = [
  'sqlite',
  'nsys-rep',
  'qdrep',
  'txt',
  'log',
  'md',
  'json',
  'gz',
  'zst',
];
