import type { Metadata } from 'next';

export { ResetPassword as default } from '@/components/auth/reset-password';

export const metadata: Metadata = { title: 'Set a new password' };
