import {t} from './translate.js';

/** Returns an error's message for the user. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Reports that something was copied to the clipboard, or why it failed. @param what "The table" */
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
