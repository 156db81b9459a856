/** Selects the status bar's item for the active profile, in a window of VS Code. */
export const profileItem = '.statusbar-item[id$=".gpuLens.profile"]';
