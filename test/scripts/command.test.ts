import {describe, expect, it} from 'vitest';
import {commandOf} from '../../scripts/lib/command.mjs';

/** What cmd.exe hands on of a line: the signs behind `^` as they are. */
const throughShell = (line: string): string => line.replace(/\^(.)/g, '$1');

/** The arguments that a program of Windows takes from its command line, by Microsoft's rules. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|[^ ]+/g)].map(([whole, inner]) =>
    // Backslashes stand for half as many before a quote, and for themselves elsewhere.
    inner === undefined
      ? whole
      : inner.replace(/(\\+)("|$)/g, (_, backslashes: string, end: string) => {
          return backslashes.slice(0, Math.floor(backslashes.length / 2)) + end;
        }),
  );
}

describe('commandOf(program, args)', () => {
  it.each([
    ['C:\\Program Files\\a b.vsix', '--force'],
    ['a "quoted" word', 'C:\\ends with\\', ''],
    ['100 % & more | less > out', 'a^b', '(x)', '\\"', 'plain'],
  ])('keeps arguments whole through cmd.exe: %s', (...args) => {
    const {program, args: shellArgs, isVerbatim} = commandOf('code', args, 'win32', 'cmd.exe');
    expect([program, shellArgs.slice(0, 3), isVerbatim]).toEqual(['cmd.exe', ['/d', '/s', '/c'], true]);
    // `/s` takes away the first and the last quote.
    const line = throughShell(shellArgs[3]?.slice(1, -1) ?? '');
    expect(argumentsOf(line)).toEqual(['code', ...args]);
  });

  it('lets no sign of an argument reach cmd.exe unescaped', () => {
    const {args} = commandOf('code', ['a & b | c > d %PATH%'], 'win32', 'cmd.exe');
    expect(args[3]).toBe('"code ^"a^ ^&^ b^ ^|^ c^ ^>^ d^ ^%PATH^%^""');
  });

  it('starts .exe files, and everything on other systems, as they are', () => {
    const args = ['a b'];
    expect(commandOf('C:\\x y\\node.exe', args, 'win32')).toEqual({
      program: 'C:\\x y\\node.exe',
      args,
      isVerbatim: false,
    });
    expect(commandOf('code', args, 'linux')).toEqual({program: 'code', args, isVerbatim: false});
  });
});
