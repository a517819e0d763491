/** Keys that are looked through one by one. */
const FEW = 16;
const NO_SLOTS = new Int32Array(0);

/** A map of fingerprints to numbers. It makes no object for an entry, unlike Map, which keeps a box for each double. */
export class FingerprintMap {
  size = 0;
  /** The entries, in the order in which their keys were first set, up to `size`. */
  readonly keys: number[] = [];
  readonly values: number[] = [];
  /** One more than the place of each entry, near the slot that the bits of its key name. */
  private slots = NO_SLOTS;

  get(key: number): number | undefined {
    const place = this.placeOf(key);
    return place === -1 ? undefined : this.values[place];
  }

  set(key: number, value: number): void {
    const place = this.placeOf(key);
    if (place !== -1) this.values[place] = value;
    else {
      this.keys[this.size] = key;
      this.values[this.size] = value;
      this.size += 1;
      if (this.size > FEW) this.fillSlots();
    }
  }

  clear(): void {
    this.size = 0;
  }

  private placeOf(key: number): number {
    const { keys, slots, size } = this;
    if (size <= FEW) {
      for (let place = 0; place < size; place += 1) if (keys[place] === key) return place;
      return -1;
    }
    const mask = slots.length - 1;
    for (let slot = key & mask; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] as number) - 1;
      if (place === -1 || keys[place] === key) return place;
    }
  }

  /** Adds the last entry to the slots, or all to more slots. */
  private fillSlots(): void {
    const { keys, size } = this;
    const slotsBefore = size === FEW + 1 ? 2 * FEW : this.slots.length;
    const isFull = size === FEW + 1 || size * 2 > slotsBefore;
    if (isFull) this.slots = new Int32Array(4 * slotsBefore);
    const { slots } = this;
    const mask = slots.length - 1;
    for (let place = isFull ? 0 : size - 1; place < size; place += 1) {
      let slot = (keys[place] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = place + 1;
    }
  }
}
