import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';

/**
 * Whether Next can parse a `Next-Router-State-Tree` header. Next answers 500 to an invalid one; without the header it
 * renders the entire page.
 */
export function isRouterState(header: string | string[]): boolean {
  try {
    parseAndValidateFlightRouterState(header);
    return true;
  } catch {
    return false;
  }
}
