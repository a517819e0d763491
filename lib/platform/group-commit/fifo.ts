/** A first-in, first-out list. Reading and removing at either end takes constant time. */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  /** The oldest item; undefined if the list is empty. */
  get first(): T | undefined {
    return this.items[this.head];
  }

  /** The item `back` positions before the newest. */
  fromEnd(back: number): T | undefined {
    return back < this.length ? this.items[this.items.length - 1 - back] : undefined;
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    // Array.shift moves every item of a long list. Compacting when half is empty moves each item once.
    if (this.head * 2 >= this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** Removes an item, in time in proportion to the length. @returns whether it was in the list */
  remove(item: T): boolean {
    const at = this.items.indexOf(item, this.head);
    if (at === -1) return false;
    this.items.splice(at, 1);
    return true;
  }

  pop(): T | undefined {
    return this.length === 0 ? undefined : this.items.pop();
  }
}
