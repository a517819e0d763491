import { describe, expect, it } from 'vitest';
import { DELIVERY_COLUMNS, type NamedDelivery } from '@/lib/cli/commands/deliveries/delivery-rows';
import { styleFor } from '@/lib/platform/terminal/style';
import type { Column } from './column';
import { cutUrl, formatTable } from './table';

interface Row {
  id: string;
  url: string;
}
const ID = '0197b6a0-1111-7000-8000-000000000000';
const LONG_URL = `https://receiver.example.com/${'x'.repeat(40)}`;
const columns = (kind: 'id' | 'text'): Column<Row>[] => [
  { header: 'ID', value: ({ id }) => id, kind },
  { header: 'URL', value: ({ url }) => url },
];
const noColor = styleFor({ isTTY: false }, { NODE_ENV: 'test' });
const lastLine = (kind: 'id' | 'text', url = LONG_URL) =>
  formatTable([{ id: ID, url }], columns(kind), 60, noColor, new Date())
    .trimEnd()
    .split('\n')
    .at(-1) ?? '';

it.each(['id', 'text', 'url', 'state', 'time', 'size', 'duration'] as const)(
  'shows no escape sequence in a column for a value of the kind %s',
  (kind) => {
    const column: Column<{ value: string }> = { header: 'VALUE', value: ({ value }) => value, kind };
    const shown = formatTable([{ value: '1\x1b[2J' }], [column], 60, noColor, new Date());
    expect(shown).not.toContain('\x1b');
  },
);

it('never cuts an ID, and cuts other columns instead', () => {
  expect(lastLine('id')).toMatch(new RegExp(`^${ID}  https://.*…$`));
  expect(lastLine('id')).toHaveLength(60);
  expect(lastLine('id', 'x'.repeat(36))).toMatch(new RegExp(`^${ID}  x{21}…$`));
  expect(lastLine('text')).not.toContain(ID);
});

it('leaves out an optional column where no row has a value', () => {
  const given: Column<{ id: string; customer: string | null }>[] = [
    { header: 'ID', value: ({ id }) => id },
    { header: 'CUSTOMER', value: ({ customer }) => customer, isOptional: true },
  ];
  const headerOf = (...customers: (string | null)[]) =>
    formatTable(
      customers.map((customer) => ({ id: ID, customer })),
      given,
      60,
      noColor,
      new Date(),
    ).split('\n')[0];
  expect(headerOf(null, null)?.trim()).toBe('ID');
  expect(headerOf(null, 'cus_8f2c1')).toMatch(/^ID +CUSTOMER$/);
});

const URL = 'https://receiver.example.com/tenants/acme/hooks/orders';
const now = new Date('2026-01-31T12:00:00Z');
const delivery = {
  id: ID,
  status: 'FAILED',
  lastResponseStatus: 503,
  attemptCount: 3,
  eventType: 'order.paid',
  createdAt: '2026-01-31T11:00:00Z',
  target: URL,
} as NamedDelivery;
const linesAt = (width: number) =>
  formatTable([delivery], DELIVERY_COLUMNS, width, noColor, now).trimEnd().split('\n') as [string, string];

describe('the table of deliveries', () => {
  it.each([
    [80, ['ID', 'STATUS', 'RESULT', 'TARGET'], 'receiver.exa…/hooks/orders'],
    [100, ['ID', 'STATUS', 'RESULT', 'EVENT', 'CREATED', 'TARGET'], 'receiver.exa…hooks/orders'],
    [132, ['ID', 'STATUS', 'RESULT', 'ATTEMPTS', 'EVENT', 'CREATED', 'TARGET'], URL.replace('https://', '')],
    [140, ['ID', 'STATUS', 'RESULT', 'ATTEMPTS', 'EVENT', 'CREATED', 'TARGET'], URL],
  ])('shows the ID in full and both ends of the URL at %i columns', (width, headers, target) => {
    const [header, line] = linesAt(width);
    expect(header.split(/ +/)).toEqual(headers);
    expect(line.length).toBeLessThanOrEqual(width);
    expect(line.startsWith(`${ID}  FAILED  503 `)).toBe(true);
    expect(line.split(' ').at(-1)).toBe(target);
  });

  it('keeps the columns that matter on a terminal that is too narrow for them', () => {
    const [header, line] = linesAt(40);
    expect(header.split(/ +/)).toEqual(['ID', 'STATUS', 'RESULT', 'TARGET']);
    expect(line).toContain(ID);
  });
});

describe('cutting a URL', () => {
  it.each([
    [40, 'https://example.com/a/b', 'https://example.com/a/b'],
    [15, 'https://example.com/a/b', 'example.com/a/b'],
    [10, 'https://example.com/a/b', 'exam…m/a/b'],
    [9, 'https://example.com/注文', 'exam…注文'],
  ])('to %i cells turns %s into %s', (width, url, expected) => {
    expect(cutUrl(url, width)).toBe(expected);
  });
});
