import type { DocsSection } from './docs-sections';

const ERRORS_PATH = '/docs/errors';

/** Returns the navigation of the error codes. */
export function errorsSection(codes: readonly string[]): DocsSection {
  const entries = codes.map((code) => ({ name: code, title: code, href: `${ERRORS_PATH}#${code}` }));
  return {
    title: 'Errors',
    href: ERRORS_PATH,
    groups: [{ title: null, pages: [{ title: 'Error codes', href: ERRORS_PATH, entries }] }],
  };
}
