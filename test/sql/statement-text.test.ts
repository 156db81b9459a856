import {describe, expect, it} from 'vitest';
import {readingStatement} from '../../src/sql/check-statement.js';
import {splitStatements, statementAt} from '../../src/sql/statement-text.js';

const texts = (sql: string) => splitStatements(sql).map(({start, end}) => sql.slice(start, end));

describe('splitStatements(text)', () => {
  it('splits at semicolons, and drops what is empty', () => {
    expect(texts(' SELECT 1 ;; \n VALUES (2);')).toEqual(['SELECT 1', 'VALUES (2)']);
    expect(texts(' ; -- nothing\n ')).toEqual([]);
  });

  it('splits at no semicolon in quotes or comments', () => {
    const sql = `SELECT ';', "a;b", [c;d], \`e;f\`, 'it''s;' -- g;h\n , 1 /* i;j */`;
    expect(texts(sql)).toEqual([sql.slice(0, sql.indexOf(', 1') + 3)]);
  });

  it('takes an open quote or comment to the end', () => {
    expect(texts("SELECT 'a; SELECT 2")).toEqual(["SELECT 'a; SELECT 2"]);
    expect(texts('SELECT 1 /* ; SELECT 2')).toEqual(['SELECT 1']);
  });
});

describe('statementAt(text, position)', () => {
  const sql = '-- first\nSELECT 1;\n\nSELECT 2;\n';
  const at = (position: number) => {
    const place = statementAt(sql, position);
    return place && sql.slice(place.start, place.end);
  };
  it('gives the statement around a position, right behind its semicolon too', () => {
    expect(at(12)).toBe('SELECT 1');
    expect(at(sql.indexOf(';') + 1)).toBe('SELECT 1');
    expect(at(sql.indexOf('2'))).toBe('SELECT 2');
  });

  it('gives the one before it, or the first, elsewhere; null in an empty text', () => {
    expect(at(sql.length)).toBe('SELECT 2');
    expect(at(0)).toBe('SELECT 1');
    expect(statementAt(' -- nothing', 3)).toBeNull();
  });
});

describe('readingStatement(text)', () => {
  it('takes one statement that reads, with comments and a semicolon around it', () => {
    expect(readingStatement('/* a */ select 1; -- b')).toBe('select 1');
    for (const sql of ['WITH a AS (SELECT 1) SELECT * FROM a', 'VALUES (1)', 'EXPLAIN QUERY PLAN SELECT 1']) {
      expect(readingStatement(sql)).toBe(sql);
    }
  });

  it.each([
    ['', 'There is no SQL in the query.'],
    ['SELECT 1; SELECT 2', 'Only one statement can be run at a time.'],
    ['SELECT 1\0', 'SQL has no NUL characters.'],
    ["ATTACH 'x' AS y", 'not ATTACH'],
    ['/* SELECT */ PRAGMA query_only = 0', 'not PRAGMA'],
    ["-- SELECT\nVACUUM INTO 'x'", 'not VACUUM'],
    ["EXPLAIN PRAGMA temp_store_directory = '/'", 'not EXPLAIN'],
    ["EXPLAIN QUERY PLAN ATTACH 'x' AS y", 'not EXPLAIN'],
  ])('refuses %j', (sql, message) => {
    expect(() => readingStatement(sql)).toThrow(expect.objectContaining({code: 'sql/not-allowed'}));
    expect(() => readingStatement(sql)).toThrow(message);
  });
});
