import type { Metadata } from 'next';
import { VerifyEmail } from '@/components/auth/verify-email';

/** The address of this page carries a token: not even this origin's own requests name it. */
export const metadata: Metadata = { title: 'Confirm', referrer: 'no-referrer' };

export default function VerifyEmailPage() {
  return <VerifyEmail />;
}
