const PREFIX = 'event-delivery-service.';

/**
 * Returns the one instance of something that must exist once in a process, making it on the first call.
 *
 * Next bundles lib/ into chunks of its own, so the web entry and the route handlers hold two copies of every module;
 * a module-level variable would exist twice. Made lazily because module-level side effects also run during `next build`.
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

/** Replaces or forgets (undefined) what `once` holds. For tests and for shutdown. */
export function setOnce<T>(name: string, value: T | undefined): void {
  (globalThis as unknown as Record<symbol, T | undefined>)[Symbol.for(PREFIX + name)] = value;
}

/** Forgets all that `once` holds. For tests that share a process. */
export function forgetAll(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith(PREFIX)) Reflect.deleteProperty(globalThis, symbol);
  }
}
