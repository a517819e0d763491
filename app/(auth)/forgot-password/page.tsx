import type { Metadata } from 'next';

export { ForgotPassword as default } from '@/components/auth/forgot-password';

export const metadata: Metadata = { title: 'Reset your password' };
