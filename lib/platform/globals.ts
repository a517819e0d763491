/**
 * Next bundles its own copy of lib/, so the web entry and the route handlers load every module twice, and a module-level
 * variable would exist twice. Both copies find this map.
 */
const KEY = Symbol.for('event-delivery-service');
const holder = globalThis as Record<symbol, unknown>;
holder[KEY] ??= new Map();
const instances = holder[KEY] as Map<string, unknown>;

/**
 * Returns the process-wide instance of something, and creates it on the first call: module-level side effects also run during
 * `next build`.
 */
export function once<T>(name: string, make: () => T): T {
  const present = instances.get(name) as T | undefined;
  if (present !== undefined) return present;
  const made = make();
  instances.set(name, made);
  return made;
}

/** Replaces an instance of `once`, or forgets it (undefined). For tests and for shutdown. */
export function setOnce<T>(name: string, value: T | undefined): void {
  instances.set(name, value);
}

/** Forgets all instances of `once`. For tests that share a process. */
export function forgetAll(): void {
  instances.clear();
}
