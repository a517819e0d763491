import type { DocsEntry } from '@/components/docs/docs-sections';
import type { Guide } from './parse-guide';

/** Returns the headings of a guide for the navigation and the search. */
export function guideEntries({ parts }: Guide, href: string): DocsEntry[] {
  return parts.map(({ id, title }) => ({ name: title, title, href: `${href}#${id}` }));
}
