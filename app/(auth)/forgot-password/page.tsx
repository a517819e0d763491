import type { Metadata } from 'next';
import { ForgotPassword } from '@/components/auth/forgot-password';

export const metadata: Metadata = { title: 'Set a new password' };

export default function ForgotPasswordPage() {
  return <ForgotPassword />;
}
