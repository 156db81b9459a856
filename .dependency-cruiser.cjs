/**
 * Which files may import which. Each `comment` gives the reason, and is printed when the rule is broken. The compiler
 * checks the same borders with one tsconfig per layer; these rules catch what it lets through (types of `vscode`).
 */
const node =
  '^(node:)?(assert|buffer|child_process|crypto|events|fs|module|net|os|path|process|stream|string_decoder|timers|url|util|vm|worker_threads|zlib)(/|$)';
const sqlite = 'node_modules/(@types/)?better-sqlite3';
const lezer = 'node_modules/@lezer/';
const parquet = 'node_modules/hyparquet(-writer)?/';
const zip = 'node_modules/(@types/)?yauzl/';
const html = 'node_modules/parse5/';
const contextProtocol = 'node_modules/@modelcontextprotocol/sdk/';
const painter = 'node_modules/@resvg/resvg-wasm/';
const zipWriter = 'node_modules/yazl/';
const coreD3 = 'node_modules/(@types/)?d3-scale/';

/** The part of src/sql that other folders may use: the rest runs in its own process. */
const sqlFace =
  '^src/sql/(client|exported-tables|messages|needed-details|own-rules|read-dismissals|result-table|schema|selected-statement|statement-text)\\.ts$';

/** What esbuild.mjs bundles. */
const programs =
  '^(src/host/extension|src/engine/(process|source-worker)|src/importers/(kineto/scan-worker|sqlite/page-worker|watched/watch)|src/sql/process|src/cli/(main|mcp/serve)|webview/([a-z]+/main|shared/toolkit))\\.ts$';

/** The folders of src/core, the lowest first: each may import those before it. src/core/README.md describes them. */
const rings = [
  ...[
    'base',
    'table',
    'format',
    'trace',
    'names',
    'estimate',
    'source',
    'attribution',
    'scope',
    'figures',
    'gpu-work',
    'replays',
    'layout',
  ],
  ...['flame', 'roofline', 'reports', 'tabs', 'questions', 'lines', 'compare', 'text', 'benchmark', 'export'],
  ...['findings', 'summary', 'memory-snapshot', 'job', 'what-if', 'predicted-gpu', 'prove'],
];
const folders = names => `^src/core/(${names.join('|')})/`;

/**
 * One rule per ring, including types: a ring may not import the rings above it, nor files of core that are in no ring.
 */
const ringRules = rings.map((ring, rank) => ({
  name: `core-ring-${ring}`,
  severity: 'error',
  comment:
    'Folders of the core stand in one order, so that a change can only reach what is above it: move the file, or move what it needs down.',
  from: {path: folders([ring])},
  to: {path: '^src/core/', pathNot: folders(rings.slice(0, rank + 1))},
}));

const only = (layer, allowed, comment) => ({
  name: `${layer.replace('src/', '')}-imports`,
  severity: 'error',
  comment,
  from: {path: `^${layer}/`},
  to: {pathNot: [`^${layer}/`, ...allowed]},
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Files that import each other cannot be understood one at a time: move what they share down.',
      from: {},
      to: {circular: true},
    },
    {
      name: 'core-in-a-ring',
      severity: 'error',
      comment: 'A file of the core lies in one of its rings: a new folder gets its place in the list above.',
      from: {path: '^src/core/', pathNot: folders(rings)},
      to: {},
    },
    ...ringRules,
    {
      name: 'no-folder-cycles',
      severity: 'error',
      comment: 'Folders that import each other are one folder: move what they share down. Types count.',
      scope: 'folder',
      from: {path: '^(src/(core|host|launch|importers)|webview)(/|$)'},
      to: {circular: true},
    },
    {
      name: 'roots-are-on-top',
      severity: 'error',
      comment: 'The files beside a layer’s folders put these together: no folder imports them.',
      from: {path: '^(src/(?:host|launch|importers(?:/nsys)?|core/(?:findings|what-if)))/[^/]+/'},
      to: {path: '^$1/[^/]+\\.ts$'},
    },
    {
      name: 'runs-know-no-choices',
      severity: 'error',
      comment: 'What the user may pick from is made of plans of runs, not the other way round.',
      from: {path: '^src/host/run/[^/]+\\.ts$'},
      to: {path: '^src/host/run/choices/'},
    },
    {
      name: 'no-dead-files',
      severity: 'error',
      comment:
        'Every file is reached from a program that esbuild.mjs bundles: what only tests reach is not in the product.',
      from: {path: programs},
      to: {path: '^(src|webview)/', pathNot: [programs, '^src/scanner/', '\\.d\\.ts$', '\\.css$'], reachable: false},
    },
    only(
      'src/core',
      [coreD3],
      'The core runs in the engine process, the host, the CLI and the webviews: pure, with no editor, page, file or clock.',
    ),
    only('src/protocol', ['^src/core/'], 'Messages are made of core types.'),
    only('src/source', ['^src/core/', lezer], 'Reads source texts; whoever has the text calls it.'),
    only(
      'src/importers',
      // The scanner is compiled from src/scanner and inserted by the bundler.
      ['^src/core/', node, sqlite, zip, html, '^\\./(scanner|rows)\\.wasm$'],
      'Importers turn files into a core Trace: no editor, no screen.',
    ),
    only(
      'src/launch',
      // The index of the recorded runs, and locks.
      ['^src/core/', node, sqlite],
      'What to run and how to follow it is the same in the editor and on the command line.',
    ),
    only(
      'src/sql',
      ['^src/core/', '^src/importers/', node, sqlite],
      'Queries run in a process of their own, which the editor and the command line start alike and can kill.',
    ),
    only(
      'src/parquet',
      ['^src/core/', '^src/importers/', node, parquet],
      'Tables become Parquet files and come back: no editor, no screen.',
    ),
    only(
      'src/engine',
      ['^src/core/', '^src/importers/', '^src/parquet/', '^src/source/', '^src/protocol/', node],
      'The engine answers questions in the engine process: no editor there.',
    ),
    only(
      'src/cli',
      [
        '^src/core/',
        '^src/importers/',
        '^src/parquet/',
        '^src/source/',
        '^src/launch/',
        sqlFace,
        node,
        painter,
        zipWriter,
        contextProtocol,
      ],
      'The command line works with no editor installed.',
    ),
    only(
      'src/host',
      [
        '^src/core/',
        '^src/protocol/',
        '^src/engine/(source-)?client\\.ts$',
        '^src/source/',
        '^src/launch/',
        sqlFace,
        node,
        '^vscode$',
        'node_modules/@types/vscode',
      ],
      'The host shows and asks: it reads no trace itself, and knows the engine by its clients alone.',
    ),
    only(
      'webview',
      [
        '^src/core/',
        '^src/protocol/',
        'node_modules/(@types/)?d3',
        'node_modules/@vscode/(webview-ui-toolkit|codicons)/',
        '\\.css$',
      ],
      'A webview has neither node nor the editor’s API: it asks the host.',
    ),
    {
      name: 'vscode-only-in-host',
      severity: 'error',
      comment: 'Everything else is tested and used without an editor.',
      from: {pathNot: ['^src/host/', '^test/host/', '^test/desktop/']},
      to: {path: '(^vscode$)|(@types/vscode)'},
    },
    {
      name: 'nothing-imports-host-cli-or-tests',
      severity: 'error',
      comment: 'They are the ends of the program.',
      from: {pathNot: ['^test/', '^src/host/', '^src/cli/']},
      to: {path: ['^test/', '^src/host/', '^src/cli/']},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.base.json'},
    doNotFollow: {path: 'node_modules'},
    exclude: {path: '^test/e2e/fixtures/'},
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.d.ts', '.css'],
    },
  },
};
