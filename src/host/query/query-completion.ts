import * as vscode from 'vscode';
import {findSqlTable, sqlTables, type SqlTable} from '../../sql/schema.js';
import {isQueryDocument} from './query-documents.js';

/** Completes tables, and columns of the tables that a query names, each with its meaning. */
export const queryCompletion: vscode.CompletionItemProvider = {
  provideCompletionItems(document, position) {
    if (!isQueryDocument(document)) return [];
    const line = document.lineAt(position).text.slice(0, position.character);
    const text = document.getText();
    const qualifier = /(\w+)\.\w*$/.exec(line)?.[1];
    if (qualifier !== undefined) {
      const table = findSqlTable(qualifier) ?? tableOfAlias(text, qualifier);
      return table ? columnItems(table) : [];
    }
    const named = sqlTables.filter(({name}) => new RegExp(`\\b${name}\\b`, 'i').test(text));
    return [...sqlTables.map(tableItem), ...named.flatMap(columnItems)];
  },
};

/** The table of `FROM kernels k` and `FROM kernels AS k`. */
function tableOfAlias(text: string, alias: string): SqlTable | undefined {
  const pattern = new RegExp(`\\b(\\w+)\\s+(?:AS\\s+)?${alias}\\b`, 'gi');
  for (const match of text.matchAll(pattern)) {
    const table = findSqlTable(match[1] ?? '');
    if (table) return table;
  }
  return undefined;
}

function tableItem({name, about}: SqlTable): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    {label: name, description: vscode.l10n.t('table')},
    vscode.CompletionItemKind.Struct,
  );
  item.documentation = about;
  return item;
}

function columnItems({name: table, columns}: SqlTable): vscode.CompletionItem[] {
  return columns.map(({name, about}) => {
    const item = new vscode.CompletionItem({label: name, description: table}, vscode.CompletionItemKind.Field);
    item.documentation = about;
    return item;
  });
}
