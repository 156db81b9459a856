/** The commands that package.json contributes, and internal ones. */
export const commandIds = {
  openProfile: 'gpuLens.openProfile',
  openSample: 'gpuLens.openSample',
  openInEditor: 'gpuLens.openInEditor',
  closeProfile: 'gpuLens.closeProfile',
  switchProfile: 'gpuLens.switchProfile',
  showFindings: 'gpuLens.showFindings',
  showWhatIf: 'gpuLens.showWhatIf',
  whatIfLine: 'gpuLens.whatIfLine',
  /** Takes a row of the views "Findings" and "Hot Ranges". */
  whatIfRow: 'gpuLens.whatIfRow',
  showMemory: 'gpuLens.showMemory',
  writeReport: 'gpuLens.writeReport',
  /** Takes the profile and the step of a view or a menu, if called from one. */
  savePart: 'gpuLens.savePart',
  dismissFinding: 'gpuLens.dismissFinding',
  /** Internal: take a row of the view "Findings". */
  revealFinding: 'gpuLens.revealFinding',
  showFindingInTimeline: 'gpuLens.showFindingInTimeline',
  compareWith: 'gpuLens.compareWith',
  showBothTimelines: 'gpuLens.showBothTimelines',
  /** Take a row of the view "Runs", or the rows that are selected there. */
  openRun: 'gpuLens.openRun',
  compareRun: 'gpuLens.compareRun',
  labelRun: 'gpuLens.labelRun',
  pinRun: 'gpuLens.pinRun',
  unpinRun: 'gpuLens.unpinRun',
  deleteRun: 'gpuLens.deleteRun',
  exportRun: 'gpuLens.exportRun',
  readRunsAgain: 'gpuLens.readRunsAgain',
  /** Internal: takes a sweep of the view "Runs". */
  openSweep: 'gpuLens.openSweep',
  showJob: 'gpuLens.showJob',
  chooseRank: 'gpuLens.chooseRank',
  closeJob: 'gpuLens.closeJob',
  /** Internal: the view of the active job; takes a rank of it. */
  showActiveJob: 'gpuLens.showActiveJob',
  showRank: 'gpuLens.showRank',
  profileModelStep: 'gpuLens.profileModelStep',
  profileModelStepWithArguments: 'gpuLens.profileModelStepWithArguments',
  checkEnvironment: 'gpuLens.checkEnvironment',
  profileAgain: 'gpuLens.profileAgain',
  profileCell: 'gpuLens.profileCell',
  profileRunning: 'gpuLens.profileRunning',
  chooseRecording: 'gpuLens.chooseRecording',
  crossCheck: 'gpuLens.crossCheck',
  showTimeline: 'gpuLens.showTimeline',
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
  /** Internal: takes the path of an open profile, and the command of the view to show. */
  showProfileView: 'gpuLens.showProfileView',
  /** Internal: take the names of ranges. */
  showRangeFlame: 'gpuLens.showRangeFlame',
  showRangeKernels: 'gpuLens.showRangeKernels',
  /** Internal: takes the names on a line without a tag, and where to show them. */
  showUntagged: 'gpuLens.showUntagged',
  /** Internal: takes the URI of a Python file. */
  tagEveryForward: 'gpuLens.tagEveryForward',
  /** Internal: "Profile again", with Python stacks. */
  recordStacksAgain: 'gpuLens.recordStacksAgain',
} as const;
