import type { Metadata } from 'next';
import { RetentionPage } from '@/components/retention/retention-page';

export const metadata: Metadata = { title: 'Retention' };

export default function Page() {
  return <RetentionPage />;
}
