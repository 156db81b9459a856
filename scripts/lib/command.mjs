// How to start a program, also on Windows.

/** The special characters of cmd.exe, outside and inside quotes. */
const special = /[()[\]%!^"`<>&|;, *?]/g;

/**
 * Returns the arguments of `spawn` for a program. On Windows only `.exe` files can be started directly: others, such as
 * `code.cmd`, are started by cmd.exe, with each argument quoted so that spaces and special characters reach the
 * program.
 */
export function commandOf(program, args, platform = process.platform, shell = process.env.ComSpec ?? 'cmd.exe') {
  if (platform !== 'win32' || /\.exe$/i.test(program)) return {program, args, isVerbatim: false};
  const line = [program.replace(special, '^$&'), ...args.map(quoted)].join(' ');
  return {program: shell, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true};
}

/**
 * Quotes an argument as Windows programs parse it, and then for cmd.exe.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
function quoted(argument) {
  const inner = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  return `"${inner}"`.replace(special, '^$&');
}
