import type { Metadata } from 'next';
import { loadReference } from '@/app/docs/load-reference';
import { ApiOverview } from '@/components/docs/api/guide/api-overview';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'API reference' };

export default async function Page() {
  return <ApiOverview reference={await loadReference()} />;
}
