import type { Metadata } from 'next';
import { loadGuide } from '@/app/docs/load-guide';
import { loadReference } from '@/app/docs/load-reference';
import { MethodList } from '@/components/docs/client/method-list';
import { GuidePage } from '@/components/docs/markdown/guide-page';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'TypeScript client' };

export default async function Page() {
  return (
    <GuidePage guide={await loadGuide('lib/client/README.md')}>
      <MethodList reference={await loadReference()} />
    </GuidePage>
  );
}
