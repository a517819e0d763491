/** A first-in, first-out list whose two ends cost the same however long it is. */
export class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  /** The oldest item; undefined when there is none. */
  get first(): T | undefined {
    return this.items[this.head];
  }

  /** The item `back` places before the newest. */
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
    // Array.shift moves every item of a long list; compacting at half moves each item once.
    if (this.head * 2 >= this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  pop(): T | undefined {
    return this.length === 0 ? undefined : this.items.pop();
  }
}
