import {t} from './translate.js';

/** What an error says, for people. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells that something is on the clipboard, or why it is not. @param what "The table" */
export function tellCopied(copied: Promise<unknown>, what: string, tell: (text: string) => void): void {
  copied.then(
    () => {
      tell(t('{0}: copied.', what));
    },
    (error: unknown) => {
      tell(errorText(error));
    },
  );
}
