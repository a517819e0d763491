import { afterAll, vi } from 'vitest';

const PREFIX = 'event-delivery-service.';

/**
 * Test files share a process and the modules that it has loaded, which spares each of them a second or two. So none may find
 * what another has left: what `once` (lib/platform/globals.ts) holds is forgotten before and after each file, and what it put
 * in the place of clocks, globals and variables is taken back.
 */
function forgetGlobals(): void {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (symbol.description?.startsWith(PREFIX)) Reflect.deleteProperty(globalThis, symbol);
  }
}

forgetGlobals();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  forgetGlobals();
});
