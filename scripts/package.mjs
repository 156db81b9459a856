// npm run package [-- TARGET …]: packs the extension; without a target, for this machine. Target npm is the command
// line, wheel the Python package.
import {ensureDependencies} from './lib/dependencies.mjs';
import {packageCli} from './lib/package-cli.mjs';
import {packagePython, whyNoPip} from './lib/package-python.mjs';
import {hostTarget, packageExtension, targets} from './lib/package-extension.mjs';
import {preflight, whyNoFolders} from './lib/preflight.mjs';
import {say} from './lib/run.mjs';
import {whyOtherSystem} from './lib/system.mjs';

const others = {npm: packageCli, wheel: packagePython};

const given = process.argv.slice(2);
const chosen = given.length > 0 ? given : [hostTarget];
await preflight(
  whyOtherSystem(),
  whyNoFolders(),
  ...chosen.map(whyNoTarget),
  chosen.includes('wheel') ? whyNoPip() : null,
);
await ensureDependencies();
for (const target of chosen) {
  const pack = others[target];
  say(await (pack ? pack() : packageExtension(target)));
}

/** Returns a sentence if there is no such target, else null. */
function whyNoTarget(target) {
  const all = [...targets, ...Object.keys(others)];
  return all.includes(target) ? null : `There is no target "${target}": use one of ${all.join(', ')}.`;
}
