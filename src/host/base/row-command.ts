import * as vscode from 'vscode';
import {showInformation} from './messages.js';

type Known<Row> = Row | null | undefined;

/** What VS Code passes from a row: the row, and all selected rows if it is one of several. */
export type RowCommand<Row> = (
  ...chosen: readonly [row?: Known<Row>, rows?: readonly Known<Row>[] | null]
) => Promise<void>;

/**
 * Returns a command of a tree's rows. `act` gets the row that it was chosen for, or all selected rows if that is one of
 * them; no row if the command came from a key or the palette.
 *
 * VS Code passes undefined for a row that was removed, and for any row while it asks the tree for its rows again. Then
 * the user is asked to choose again: otherwise the command would act on another row.
 */
export function rowCommand<Row>(act: (rows: readonly Row[]) => unknown): RowCommand<Row> {
  return async (...chosen) => {
    const [row, rows] = chosen;
    const named = chosen.length === 0 ? [] : rows && rows.length > 0 ? rows : [row];
    const known = named.filter(one => one !== null && one !== undefined);
    if (known.length < named.length) await showInformation(vscode.l10n.t('The list was just updated. Choose again.'));
    else await act(known);
  };
}
