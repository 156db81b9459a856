/**
 * How names of profiles end, for dialogs. The importers' list of formats says which; a test compares the two, since the
 * host reads no files itself.
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
