// npm run package [-- TARGET …]: packs the extension; without a target, for this machine. Target npm is the command
// line, wheel the Python package.
import {ensureDependencies} from './lib/dependencies.mjs';
import {packageCli} from './lib/package-cli.mjs';
import {packagePython} from './lib/package-python.mjs';
import {hostTarget, packageExtension} from './lib/package-extension.mjs';
import {say} from './lib/run.mjs';

const others = {npm: packageCli, wheel: packagePython};

await ensureDependencies();
const chosen = process.argv.slice(2);
for (const target of chosen.length > 0 ? chosen : [hostTarget]) {
  const pack = others[target];
  say(await (pack ? pack() : packageExtension(target)));
}
