// Packs the extension for the end-to-end tests, then builds the programs that the other tests run.
import {packageOnce} from '../package-extension.mjs';
import {must, node24} from '../run.mjs';

await packageOnce();
await must(node24, ['esbuild.mjs'], {quiet: true});
