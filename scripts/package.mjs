// npm run package [-- TARGET …]: packs the extension; without a target, for this machine. Target npm is the command line.
import {ensureDependencies} from './lib/dependencies.mjs';
import {packageCli} from './lib/package-cli.mjs';
import {hostTarget, packageExtension} from './lib/package-extension.mjs';
import {say} from './lib/run.mjs';

await ensureDependencies();
const chosen = process.argv.slice(2);
for (const target of chosen.length > 0 ? chosen : [hostTarget]) {
  say(await (target === 'npm' ? packageCli() : packageExtension(target)));
}
