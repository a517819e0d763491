import type { Metadata } from 'next';
import { LoginForm } from '@/components/auth/login-form';
import { listSignInProviders } from '@/lib/idp/idp-client';

export const metadata: Metadata = { title: 'Sign in' };

export default function LoginPage() {
  return <LoginForm providers={listSignInProviders()} />;
}
