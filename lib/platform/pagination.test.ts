import { describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { encodeCursor, PageQuery, toListing } from './pagination';

describe('paging', () => {
  it('decodes its own cursors', () => {
    const id = newId();
    expect(PageQuery.parse({ cursor: encodeCursor(id) }).cursor).toBe(id);
  });

  it('refuses an invalid cursor', () => {
    for (const cursor of ['', 'x', 'AAAA', `${encodeCursor(newId())}A`, "' OR 1=1 --", '../../etc']) {
      expect(PageQuery.safeParse({ cursor }).success, cursor).toBe(false);
    }
  });

  it('allows 1 to 100 rows, 50 by default', () => {
    expect(PageQuery.parse({}).limit).toBe(50);
    expect(PageQuery.parse({ limit: '1' }).limit).toBe(1);
    expect(PageQuery.parse({ limit: '100' }).limit).toBe(100);
    for (const limit of ['0', '101', '-1', 'ten', '1.5', '']) {
      expect(PageQuery.safeParse({ limit }).success, limit).toBe(false);
    }
  });

  it('has a next page only when a row more than the limit was read', () => {
    const rows = Array.from({ length: 3 }, () => ({ id: newId() }));
    const [first, second] = rows;
    expect(toListing(rows, 3, (row) => row.id).nextCursor).toBeNull();
    const page = toListing(rows, 2, (row) => row.id);
    expect(page.data).toEqual([first?.id, second?.id]);
    expect(page.nextCursor).toBe(encodeCursor(second?.id ?? ''));
  });
});
