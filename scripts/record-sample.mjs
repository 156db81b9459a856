// npm run record-sample: records media/sample/profile with our own runner, on this machine's device.
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, out, root, say} from './lib/run.mjs';
import {ensurePython} from './lib/venv.mjs';

await ensureDependencies();
const python = await ensurePython();
const sample = join(root, 'media', 'sample');
const recorded = join(out, 'recorded-sample');
rmSync(recorded, {recursive: true, force: true});
await must(
  python,
  [
    join(root, 'src', 'runner'),
    '--out',
    recorded,
    '--events',
    join(recorded, 'events.jsonl'),
    '--root',
    sample,
    '--',
    python,
    'train.py',
    '--steps',
    '10',
  ],
  {cwd: sample},
);
const profile = join(sample, 'profile');
mkdirSync(profile, {recursive: true});
const files = readdirSync(recorded);
const trace = files.find(name => name.endsWith('.pt.trace.json.gz'));
const sidecar = files.find(name => name.endsWith('.meta.json'));
writeFileSync(join(profile, trace), gzipSync(gunzipSync(readFileSync(join(recorded, trace))), {level: 9}));
writeFileSync(join(profile, sidecar), readFileSync(join(recorded, sidecar)));
say(`Recorded ${profile}`);
