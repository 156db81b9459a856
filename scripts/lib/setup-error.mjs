// Describes what the machine lacks, in one sentence with the remedy.

/** An error that is shown only by its message: the user can fix it, and a stack trace would hide the remedy. */
export class SetupError extends Error {
  name = 'SetupError';
}
