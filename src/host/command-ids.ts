/** The commands that package.json contributes, and those that only GPU Lens itself calls. */
export const commandIds = {
  openProfile: 'gpuLens.openProfile',
  closeProfile: 'gpuLens.closeProfile',
  switchProfile: 'gpuLens.switchProfile',
  profileModelStep: 'gpuLens.profileModelStep',
  profileModelStepWithArguments: 'gpuLens.profileModelStepWithArguments',
  checkEnvironment: 'gpuLens.checkEnvironment',
  profileAgain: 'gpuLens.profileAgain',
  profileCell: 'gpuLens.profileCell',
  chooseRecording: 'gpuLens.chooseRecording',
  crossCheck: 'gpuLens.crossCheck',
  showTimeline: 'gpuLens.showTimeline',
  showFlameGraph: 'gpuLens.showFlameGraph',
  showTables: 'gpuLens.showTables',
  showRoofline: 'gpuLens.showRoofline',
  queryProfile: 'gpuLens.queryProfile',
  runQuery: 'gpuLens.runQuery',
  runBenchmark: 'gpuLens.runBenchmark',
  showBenchmarks: 'gpuLens.showBenchmarks',
  searchTimeline: 'gpuLens.searchTimeline',
  clearScope: 'gpuLens.clearScope',
  forgetSourceFiles: 'gpuLens.forgetSourceFiles',
  showLog: 'gpuLens.showLog',
  /** Internal: take the name patterns of a line. */
  showRangeInTimeline: 'gpuLens.showRangeInTimeline',
  compareRuns: 'gpuLens.compareWithLastRun',
  filterHotRanges: 'gpuLens.filterHotRanges',
  readHotRangesAgain: 'gpuLens.readHotRangesAgain',
  /** Internal: take a range of the view "Hot ranges". */
  revealRange: 'gpuLens.revealRange',
  showHotRangeInTimeline: 'gpuLens.showHotRangeInTimeline',
  showHotRangeFlame: 'gpuLens.showHotRangeFlame',
  /** Internal: take the names of ranges. */
  showRangeFlame: 'gpuLens.showRangeFlame',
  showRangeKernels: 'gpuLens.showRangeKernels',
  /** Internal: takes what stands on a line without a tag, and where to show it. */
  showUntagged: 'gpuLens.showUntagged',
} as const;
