import { expect, it } from 'vitest';
import type { Column } from './column';
import { styleFor } from './style';
import { formatTable } from './table';

interface Row {
  id: string;
  url: string;
}
const ID = '0197b6a0-1111-7000-8000-000000000000';
const URL = `https://receiver.example.com/${'x'.repeat(40)}`;
const columns = (kind: 'id' | 'text'): Column<Row>[] => [
  { header: 'ID', value: ({ id }) => id, kind },
  { header: 'URL', value: ({ url }) => url },
];
const noColor = styleFor(
  { write: () => undefined, flush: async () => undefined, isTTY: false, columns: 60 },
  { NODE_ENV: 'test' },
);
const lastLine = (kind: 'id' | 'text', url = URL) =>
  formatTable([{ id: ID, url }], columns(kind), 60, noColor, new Date())
    .trimEnd()
    .split('\n')
    .at(-1) ?? '';

it('never cuts an ID, and cuts other columns instead', () => {
  expect(lastLine('id')).toMatch(new RegExp(`^${ID}  https://.*…$`));
  expect(lastLine('id')).toHaveLength(60);
  expect(lastLine('id', 'x'.repeat(36))).toMatch(new RegExp(`^${ID}  x{21}…$`));
  expect(lastLine('text')).not.toContain(ID);
});
