import type { DocsSection } from '@/components/docs/docs-sections';
import { guideEntries } from '@/components/docs/markdown/guide-entries';
import type { Guide } from '@/components/docs/markdown/parse-guide';
import { GUIDE_GROUPS, GUIDES_PATH } from './guide-groups';

/** A guide with its name in URLs. */
export interface NamedGuide {
  slug: string;
  guide: Guide;
}

/** Returns the navigation of the guides. */
export function guidesSection(guides: readonly NamedGuide[]): DocsSection {
  const pageOf = ({ slug, guide }: NamedGuide) => {
    const href = `${GUIDES_PATH}/${slug}`;
    return { title: guide.title, href, entries: guideEntries(guide, href) };
  };
  const groups = GUIDE_GROUPS.map(({ title, slugs }) => ({
    title,
    pages: guides.filter(({ slug }) => slugs.includes(slug)).map(pageOf),
  }));
  const overview = { title: 'All guides', href: GUIDES_PATH, entries: [] };
  return { title: 'Guides', href: GUIDES_PATH, groups: [{ title: null, pages: [overview] }, ...groups] };
}
