// What `npm test -- --quick` leaves out, besides the runner's and the end-to-end tests.

/**
 * The unit tests that a quick run leaves out. The rule: a file is left out if its tests take more than 3 s together on a
 * machine that does nothing else, or if it starts processes. Folders where most files do so are listed whole.
 */
export const slowFiles = [
  // They start processes: the built command line, Python, nsys, shells, worker threads.
  ...['test/cli/**', 'test/engine/**', 'test/launch/**', 'test/scripts/**', 'test/sql/**'],
  // They read damaged, large or real files.
  ...['test/fuzz/**', 'test/importers/**', 'test/source/{python,cpp}-edits/**'],
  ...['test/core/deep-ranges.test.ts', 'test/core/flame/{flame-graph,speedscope}.test.ts'],
  ...['test/core/scope/{selected-figures,report-scope}.test.ts', 'test/core/questions/timeline-queries.test.ts'],
  ...['test/core/roofline/roofline.test.ts', 'test/findings/labels.test.ts'],
  'test/core/reports/{collectives,gpu-timeline,key-averages,nsys-reports,quality,reports,step-breakdown}.test.ts',
];
