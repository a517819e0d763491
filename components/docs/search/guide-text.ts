import type { Guide } from '@/components/docs/markdown/parse-guide';
import { paragraphsOf, plainText } from '@/components/docs/markdown/plain-text';
import type { TextEntry } from './find-text';

/** Returns the parts of a guide with their text; what comes before the first heading has the title of the guide. */
export function guideText({ title, intro, parts }: Guide, href: string): TextEntry[] {
  const sections = parts.map((part) => ({
    href: `${href}#${part.id}`,
    title: part.title,
    page: title,
    text: plainText(part.tokens),
    paragraphs: paragraphsOf(part.tokens),
  }));
  const start = { href, title, page: 'Guides', text: plainText(intro), paragraphs: paragraphsOf(intro) };
  return [start, ...sections];
}
