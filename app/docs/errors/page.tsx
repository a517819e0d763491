import type { Metadata } from 'next';
import { ErrorsPage } from '@/components/docs/errors-page';
import { ERRORS } from '@/lib/platform/errors';

export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Errors' };

export default function Page() {
  const rows = Object.entries(ERRORS).map(([code, [status, meaning]]) => ({ code, status, meaning }));
  return <ErrorsPage errors={rows} />;
}
