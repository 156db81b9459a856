// What the machine lacks, as one sentence with the remedy.

/** An error that is shown as its message alone: the person can mend it, so a stack trace would only hide the remedy. */
export class SetupError extends Error {
  name = 'SetupError';
}
