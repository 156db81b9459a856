import * as vscode from 'vscode';
import {showInformation} from './messages.js';

/** A row, or nothing for one that VS Code does not know. */
type Maybe<Row> = Row | null | undefined;

/** What VS Code passes from a row: the row, and all selected rows if it is one of several. */
export type RowCommand<Row> = (
  ...clicked: readonly [row?: Maybe<Row>, rows?: readonly Maybe<Row>[] | null]
) => Promise<void>;

/**
 * Returns a command for the rows of a tree. `act` gets the clicked row, or all selected rows if the clicked one is
 * among them; no rows if the command comes from a key or the palette.
 *
 * VS Code passes undefined for a row that was removed, and for any row while it asks the tree for its rows again. Then
 * the user is asked to choose again: otherwise the command would act on another row.
 */
export function rowCommand<Row>(act: (rows: readonly Row[]) => unknown): RowCommand<Row> {
  return async (...clicked) => {
    const [row, rows] = clicked;
    const chosen = clicked.length === 0 ? [] : rows && rows.length > 0 ? rows : [row];
    const known = chosen.filter(one => one !== null && one !== undefined);
    if (known.length < chosen.length) await showInformation(vscode.l10n.t('The list was just updated. Choose again.'));
    else await act(known);
  };
}
