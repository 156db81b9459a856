/** A page that never comes must not keep a command from running. */
const mostWaitMs = 3000;

/**
 * A command that shows a list, once the pages of the editors in sight are there: VS Code gives a page that comes into
 * view the focus, and a list that loses it closes under the person's hands.
 */
export function afterPages<Arguments extends unknown[]>(
  editors: {readonly whenShown: () => Promise<void>},
  command: (...args: Arguments) => unknown,
): (...args: Arguments) => Promise<unknown> {
  return async (...args) => {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>(resolve => (timer = setTimeout(resolve, mostWaitMs)));
    await Promise.race([editors.whenShown(), waited]);
    clearTimeout(timer);
    return command(...args);
  };
}
