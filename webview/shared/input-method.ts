/**
 * Leaves keys to the input method while it composes text, such as Japanese: its Enter takes a word, and its Escape gives
 * it up; neither is a command of the page.
 */
export function leaveKeysToInputMethod(): void {
  document.addEventListener(
    'keydown',
    event => {
      if (event.isComposing) event.stopPropagation();
    },
    {capture: true},
  );
}
