// node test/fuzz/corpus/make.mjs: generates the files of this folder again. They are small attacks on a reader of
// profiles.
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync, zstdCompressSync} from 'node:zlib';

const folder = dirname(fileURLToPath(import.meta.url));
const keep = (name, bytes) => writeFileSync(join(folder, name), bytes);
const slice = (cat, name, ts, dur, more = {}) => ({ph: 'X', cat, name, pid: 1, tid: 1, ts, dur, ...more});
const kernel = (name, ts, dur, correlation) =>
  slice('kernel', name, ts, dur, {pid: 0, tid: 7, args: {device: 0, stream: 7, correlation}});
const launch = (ts, correlation) => slice('cuda_runtime', 'cudaLaunchKernel', ts, 1, {args: {correlation}});
const trace = events => Buffer.from(JSON.stringify({traceEvents: events}));

const depth = 100;
const nested = Array.from({length: depth}, (_, i) => slice('user_annotation', `r${i}`, i, 4 * depth - 2 * i));
keep('nested-ranges.json.gz', gzipSync(trace([...nested, launch(depth, 1), kernel('k', depth + 5, 2, 1)])));

const names = Array.from({length: 300}, (_, i) => slice('user_annotation', `name ${i}`, i, 1));
keep('many-names.json.gz', gzipSync(trace(names)));

const hostile = [
  '\u001b[2J',
  '\u001b]52;c;Y2F0\u0007',
  '\u0000',
  '\u009b31m',
  '\u202egpj',
  '=1+2',
  '-2+3',
  '@SUM(A1)',
  '+x',
];
keep(
  'hostile-names.json',
  trace(
    hostile.flatMap((name, i) => [
      launch(10 * i, i + 1),
      kernel(name, 10 * i + 2, 3, i + 1),
      slice('cpu_op', name, 10 * i, 5),
    ]),
  ),
);

const small = trace([slice('user_annotation', 'step', 0, 10), launch(1, 1), kernel('k', 5, 2, 1)]);
const parts = Array.from({length: Math.ceil(small.length / 12)}, (_, i) => small.subarray(12 * i, 12 * i + 12));
keep('tiny-frames.json.zst', Buffer.concat(parts.map(part => zstdCompressSync(part))));
keep('tiny-members.json.gz', Buffer.concat(parts.map(part => gzipSync(part))));

const same = Array.from({length: 500}, () => kernel('k', 5, 2, 1));
keep(
  'much-from-little.json.zst',
  zstdCompressSync(trace([slice('user_annotation', 'step', 0, 10), launch(1, 1), ...same])),
);

keep('long-name.json.gz', gzipSync(trace([slice('cpu_op', 'x'.repeat(1 << 16), 0, 10), slice('cpu_op', 'y', 20, 1)])));

const dispatch = (kernel, at, more = {}) => ({
  thread_id: 1,
  correlation_id: {internal: kernel},
  start_timestamp: at,
  end_timestamp: at + 5,
  dispatch_info: {agent_id: {handle: 1}, kernel_id: kernel, grid_size: {x: 1 << 30}, workgroup_size: {x: 0}},
  ...more,
});
const nest = (count, inner) => (count === 0 ? inner : [nest(count - 1, inner)]);
keep(
  'rocprof-odd-values.json',
  JSON.stringify({
    'rocprofiler-sdk-tool': [
      {
        buffer_records: {
          kernel_dispatch: [
            ...hostile.map((_, i) => dispatch(i, 100 + 10 * i)),
            dispatch(1, 'soon'),
            dispatch({}, 300, {dispatch_info: 7, correlation_id: [], thread_id: nest(200, 1)}),
          ],
          hip_api: [{kind: 1e300, operation: -1, start_timestamp: 100, end_timestamp: 90}, null, 5],
          ['__proto__x']: [{}],
        },
        agents: [{id: {handle: 1}, type: 2, gpu_index: -5, product_name: hostile[0]}],
        strings: {buffer_records: [null, {kind: 'HIP', operations: {0: 'a'}}], marker_api: 'none'},
        kernel_symbols: hostile.map((name, i) => ({kernel_id: i, formatted_kernel_name: name})),
      },
      {metadata: {pid: -1, command: [5], fini_time: 1e300}, buffer_records: {kernel_dispatch: [dispatch(0, 1e15)]}},
    ],
  }).replaceAll('"start_timestamp":300,', '"start_timestamp":18446744073709551615,'),
);
