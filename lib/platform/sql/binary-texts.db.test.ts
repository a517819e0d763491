import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { toBinaryTexts } from './binary-texts';
import { binaryTexts, nullable, texts } from './column';
import { statement } from './statement';

useDatabase();

const echo = statement('SELECT $texts::text[] AS texts', {
  params: { texts: binaryTexts },
  columns: { texts: nullable(texts) },
});

it.each([
  ['nothing', []],
  ['nulls and empty texts', [null, '', null]],
  ['quotes, backslashes, braces and the word NULL', ['"', '\\', '\\"{,}', 'NULL', '\n\t\u0001']],
  ['characters of several bytes', ['é', '漢字', '👍🏽', '\uFFFD']],
])('PostgreSQL reads what was written: %s', async (_, written) => {
  expect((await echo.one(database(), { texts: toBinaryTexts(written) })).texts).toEqual(written);
});
