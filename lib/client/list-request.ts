/** A page of a list. */
export interface Page<T> {
  data: T[];
  /** The cursor of the next page; null on the last. */
  nextCursor: string | null;
}

/**
 * A list. Await it for its first page, or iterate over it for all items: it then gets one page after another, as they are
 * needed. It sends nothing before that, and gets the first page once.
 */
export class ListRequest<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #getPage: (cursor: string | undefined) => Promise<Page<T>>;
  #first: Promise<Page<T>> | undefined;

  /** @param getPage gets the page at a cursor; undefined is the start of this list */
  constructor(getPage: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#getPage = getPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it.
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#getFirst().then(onPage, onError);
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.#getFirst().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.#getFirst().finally(onEnd);
  }

  /** Iterates over the pages. @throws Error when the server returns a cursor twice in a row, which would never end */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let previous: string | null = null;
    for (let page = await this.#getFirst(); ; ) {
      yield page;
      const { nextCursor } = page;
      if (nextCursor === null) return;
      if (nextCursor === previous) throw new Error('The server returned the same cursor twice.');
      previous = nextCursor;
      page = await this.#getPage(nextCursor);
    }
  }

  /** Iterates over the items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  #getFirst(): Promise<Page<T>> {
    this.#first ??= this.#getPage(undefined);
    return this.#first;
  }
}
