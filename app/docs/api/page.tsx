import type { Metadata } from 'next';
import { loadReference } from '@/app/docs/content';
import { ApiOverview } from '@/components/docs/api/api-overview';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'API reference' };

export default async function Page() {
  return <ApiOverview reference={await loadReference()} />;
}
