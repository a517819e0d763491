import type { Metadata } from 'next';
import { loadGuides } from '@/app/docs/content';
import { GuideIndex } from '@/components/docs/guides/guide-index';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Guides' };

export default async function Page() {
  return <GuideIndex guides={await loadGuides()} />;
}
