import { describe, expect, it, vi } from 'vitest';
import { ListRequest, type Page } from './list-request';

/** A list of three pages, and the cursors that it was asked for. */
function threePages() {
  const pages: Record<string, Page<number>> = {
    start: { data: [1, 2], nextCursor: 'a' },
    a: { data: [], nextCursor: 'b' },
    b: { data: [3], nextCursor: null },
  };
  const getPage = vi.fn(async (cursor: string | undefined) => pages[cursor ?? 'start'] as Page<number>);
  return { getPage, list: new ListRequest(getPage) };
}

describe('a list', () => {
  it('requests nothing until it is used', () => {
    expect(threePages().getPage).not.toHaveBeenCalled();
  });

  it('is its first page when awaited', async () => {
    const { list, getPage } = threePages();
    expect(await list).toEqual({ data: [1, 2], nextCursor: 'a' });
    expect(getPage.mock.calls).toEqual([[undefined]]);
  });

  it('has the items of all pages, even after an empty page', async () => {
    const items: number[] = [];
    for await (const item of threePages().list) items.push(item);
    expect(items).toEqual([1, 2, 3]);
  });

  it('gets a page only when it is needed, and the first one once', async () => {
    const { list, getPage } = threePages();
    await list;
    for await (const item of list) if (item === 2) break;
    expect(getPage).toHaveBeenCalledTimes(1);
    const sizes: number[] = [];
    for await (const { data } of list.pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 0, 1]);
  });

  it('throws the error of a later page to its reader', async () => {
    const getPage = async (cursor?: string): Promise<Page<number>> => {
      if (cursor !== undefined) throw new Error('page 2 failed');
      return { data: [1], nextCursor: 'a' };
    };
    const items: number[] = [];
    const read = async () => {
      for await (const item of new ListRequest(getPage)) items.push(item);
    };
    await expect(read()).rejects.toThrow('page 2 failed');
    expect(items).toEqual([1]);
  });

  it('ends with an error when the server repeats a cursor', async () => {
    const list = new ListRequest(async () => ({ data: [1], nextCursor: 'same' }));
    const read = async () => {
      for await (const _ of list.pages());
    };
    await expect(read()).rejects.toThrow('same cursor twice');
  });
});
