const PREFIX = 'event-delivery-service.';

/**
 * Returns the process-wide instance of something, and creates it on the first call.
 *
 * Next bundles its own copy of lib/, so the web entry and the route handlers load every module twice, and a module-level
 * variable would exist twice. Created lazily because module-level side effects also run during `next build`.
 */
export function once<T>(name: string, make: () => T): T {
  const key = Symbol.for(PREFIX + name);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  const present = holder[key];
  if (present !== undefined) return present;
  const made = make();
  holder[key] = made;
  return made;
}

/** Replaces an instance of `once`, or forgets it (undefined). For tests and for shutdown. */
export function setOnce<T>(name: string, value: T | undefined): void {
  (globalThis as unknown as Record<symbol, T | undefined>)[Symbol.for(PREFIX + name)] = value;
}

/** Forgets all instances of `once`. For tests that share a process. */
export function forgetAll(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith(PREFIX)) Reflect.deleteProperty(globalThis, symbol);
  }
}
