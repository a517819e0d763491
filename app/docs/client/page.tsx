import type { Metadata } from 'next';
import { loadGuide, loadReference } from '@/app/docs/content';
import { GuidePage } from '@/components/docs/markdown/guide-page';
import { MethodList } from '@/components/docs/method-list';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'TypeScript client' };

export default async function Page() {
  return (
    <GuidePage guide={await loadGuide('lib/client/README.md')}>
      <MethodList reference={await loadReference()} />
    </GuidePage>
  );
}
