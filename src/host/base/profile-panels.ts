/** What tells one of our panels from another. */
export interface PanelKind {
  /** What VS Code keeps the panel under, over a reload of the window. */
  readonly viewType: string;
  /** Its folder in webview/, which is also the name of its bundle. */
  readonly bundle: string;
  readonly title: string;
  /** Beside the editor, which keeps the focus; in its place otherwise. */
  readonly isBeside?: boolean;
}

/** A panel that shows the active profile: what opens it, and what lists of views call it. */
interface ProfilePanel extends PanelKind {
  readonly command: string;
  readonly name: string;
  /** A codicon's name. */
  readonly icon: string;
}

/** Every one of them: the extension makes the panels, their commands and their way back over a reload from this. */
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
