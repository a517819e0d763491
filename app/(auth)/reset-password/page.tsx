import type { Metadata } from 'next';
import { ResetPassword } from '@/components/auth/reset-password';

/** The address of this page carries a token: not even this origin's own requests name it. */
export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

export default function ResetPasswordPage() {
  return <ResetPassword />;
}
