import { Fifo } from '@/lib/platform/group-commit/fifo';

/** A queue in which tenants take turns: the next item is the oldest of the tenant that has waited longest for a turn. */
export class RoundRobin<T> {
  /** In the order of turns. */
  private readonly byTenant = new Map<string, Fifo<T>>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** The tenant whose turn is next. */
  get nextTenant(): string | undefined {
    const [tenant] = this.byTenant.keys();
    return tenant;
  }

  push(tenant: string, item: T): void {
    const items = this.byTenant.get(tenant) ?? new Fifo();
    items.push(item);
    this.byTenant.set(tenant, items);
    this.count += 1;
  }

  /** Removes an item of a tenant before its turn. Takes time in proportion to the tenant's items. */
  remove(tenant: string, item: T): void {
    const items = this.byTenant.get(tenant);
    if (items === undefined || !items.remove(item)) return;
    this.count -= 1;
    if (items.length === 0) this.byTenant.delete(tenant);
  }

  shift(): T | undefined {
    const [first] = this.byTenant;
    if (first === undefined) return undefined;
    const [tenant, items] = first;
    const item = items.shift();
    this.count -= 1;
    // Whoever is alone keeps the turn: the tables of a Map from which much is deleted stay in memory for long.
    if (items.length > 0 && this.byTenant.size === 1) return item;
    this.byTenant.delete(tenant);
    if (items.length > 0) this.byTenant.set(tenant, items);
    return item;
  }
}
