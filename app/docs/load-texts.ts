import { GUIDES_PATH } from '@/components/docs/guides/guide-groups';
import type { TextEntry } from '@/components/docs/search/find-text';
import { guideText } from '@/components/docs/search/guide-text';
import { once } from '@/lib/platform/globals';
import { loadGuide } from './load-guide';
import { loadGuides } from './load-guides';

/** Returns the text of the guides for the search. Made once in a process: anyone may search, as often as they like. */
export function loadTexts(): Promise<TextEntry[]> {
  return once('docs texts', () => ({ texts: makeTexts() })).texts;
}

async function makeTexts(): Promise<TextEntry[]> {
  const [guides, commandLine] = await Promise.all([loadGuides(), loadGuide('docs/guides/command-line.md')]);
  const texts = guides.flatMap(({ slug, guide }) => guideText(guide, `${GUIDES_PATH}/${slug}`));
  return [...texts, ...guideText(commandLine, '/docs/cli')];
}
