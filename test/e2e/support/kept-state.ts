import type {Page} from 'playwright-core';

/** Returns the state that VS Code has stored for this window and its extensions in the browser's databases, as text. */
export function keptState(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The database did not answer.'));
      });
    const names = (await indexedDB.databases()).flatMap(({name}) =>
      name?.startsWith('vscode-web-state-db') ? [name] : [],
    );
    const texts = names.map(async name => {
      const database = await answered(indexedDB.open(name));
      const values: unknown[] = await answered(database.transaction('ItemTable').objectStore('ItemTable').getAll());
      database.close();
      return values.map(String).join('\n');
    });
    return (await Promise.all(texts)).join('\n');
  });
}
