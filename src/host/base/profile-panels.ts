/** Identifies a kind of panel. */
export interface PanelKind {
  /** The key under which VS Code restores the panel after a window reload. */
  readonly viewType: string;
  /** Its folder in webview/, which is also the name of its bundle. */
  readonly bundle: string;
  readonly title: string;
  /** Opens beside the editor, which keeps the focus; else in its place. */
  readonly isBeside?: boolean;
}

/** A panel that shows the active profile, with the command that opens it and its name in lists of views. */
interface ProfilePanel extends PanelKind {
  readonly command: string;
  readonly name: string;
  /** A codicon's name. */
  readonly icon: string;
}

/** Every such panel. The extension creates the panels, their commands and their restoration from this. */
export const profilePanels = {
  summary: {
    ...{viewType: 'gpuLens.summary', bundle: 'summary', title: 'GPU Summary'},
    ...{command: 'gpuLens.showSummary', name: 'Summary', icon: 'dashboard'},
  },
  flame: {
    ...{viewType: 'gpuLens.flame', bundle: 'flame', title: 'GPU Flame Graph'},
    ...{command: 'gpuLens.showFlameGraph', name: 'Flame Graph', icon: 'flame'},
  },
  tables: {
    ...{viewType: 'gpuLens.tables', bundle: 'tables', title: 'GPU Tables'},
    ...{command: 'gpuLens.showTables', name: 'Tables', icon: 'table'},
  },
  roofline: {
    ...{viewType: 'gpuLens.roofline', bundle: 'roofline', title: 'Roofline and Estimate'},
    ...{command: 'gpuLens.showRoofline', name: 'Roofline and Estimate', icon: 'graph-scatter'},
  },
} as const satisfies Readonly<Record<string, ProfilePanel>>;
