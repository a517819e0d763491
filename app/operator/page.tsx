import type { Metadata } from 'next';

export { OperatorPage as default } from '@/components/operator/operator-page';

export const metadata: Metadata = { title: 'Operator' };

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';
