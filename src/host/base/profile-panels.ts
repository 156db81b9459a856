import {template} from '../../core/base/say.js';

/** Identifies a kind of panel. */
export interface PanelKind {
  /** The key under which VS Code restores the panel after a window reload. */
  readonly viewType: string;
  /** Its folder in webview/, which is also the name of its bundle. */
  readonly bundle: string;
  /** A template. */
  readonly title: string;
  /** Opens beside the editor, which keeps the focus; else in its place. */
  readonly isBeside?: boolean;
}

/** A panel that shows the active profile, with the command that opens it and its name in lists of views, a template. */
interface ProfilePanel extends PanelKind {
  readonly command: string;
  readonly name: string;
  /** A codicon's name. */
  readonly icon: string;
}

/** Every such panel. The extension creates the panels, their commands and their restoration from this. */
export const profilePanels = {
  summary: {
    ...{viewType: 'gpuLens.summary', bundle: 'summary', title: template('GPU Summary')},
    ...{command: 'gpuLens.showSummary', name: template('Summary'), icon: 'dashboard'},
  },
  flame: {
    ...{viewType: 'gpuLens.flame', bundle: 'flame', title: template('GPU Flame Graph')},
    ...{command: 'gpuLens.showFlameGraph', name: template('Flame Graph'), icon: 'flame'},
  },
  tables: {
    ...{viewType: 'gpuLens.tables', bundle: 'tables', title: template('GPU Tables')},
    ...{command: 'gpuLens.showTables', name: template('Tables'), icon: 'table'},
  },
  roofline: {
    ...{viewType: 'gpuLens.roofline', bundle: 'roofline', title: template('Roofline and Estimate')},
    ...{command: 'gpuLens.showRoofline', name: template('Roofline and Estimate'), icon: 'graph-scatter'},
  },
} as const satisfies Readonly<Record<string, ProfilePanel>>;
