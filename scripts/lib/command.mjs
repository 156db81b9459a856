// How a program is started, on Windows too.

/** What cmd.exe reads as its own, outside and inside quotes. */
const special = /[()[\]%!^"`<>&|;, *?]/g;

/**
 * What `spawn` starts for a program with these arguments. On Windows only `.exe` files start by themselves: others, as
 * `code.cmd`, are started by cmd.exe, with each argument quoted so that spaces and signs reach the program.
 */
export function commandOf(program, args, platform = process.platform, shell = process.env.ComSpec ?? 'cmd.exe') {
  if (platform !== 'win32' || /\.exe$/i.test(program)) return {program, args, isVerbatim: false};
  const line = [program.replace(special, '^$&'), ...args.map(quoted)].join(' ');
  return {program: shell, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true};
}

/**
 * An argument in quotes, as programs of Windows take them apart, and then for cmd.exe.
 *
 * @see https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments
 */
function quoted(argument) {
  const inner = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  return `"${inner}"`.replace(special, '^$&');
}
