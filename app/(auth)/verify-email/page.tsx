import type { Metadata } from 'next';

export { VerifyEmail as default } from '@/components/auth/verify-email';

export const metadata: Metadata = { title: 'Confirm' };
