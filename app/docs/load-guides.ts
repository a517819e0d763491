import { GUIDE_GROUPS } from '@/components/docs/guides/guide-groups';
import type { NamedGuide } from '@/components/docs/guides/guides-section';
import { loadGuide } from './load-guide';

/** Returns the guides of `docs/guides` in the order of the navigation. */
export function loadGuides(): Promise<NamedGuide[]> {
  const slugs = GUIDE_GROUPS.flatMap((group) => group.slugs);
  return Promise.all(slugs.map(async (slug) => ({ slug, guide: await loadGuide(`docs/guides/${slug}.md`) })));
}
