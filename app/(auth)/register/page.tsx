import type { Metadata } from 'next';
import { RegisterForm } from '@/components/auth/register-form';
import { listSignInProviders } from '@/lib/idp/idp-client';

export const metadata: Metadata = { title: 'Create your account' };

export default function RegisterPage() {
  return <RegisterForm providers={listSignInProviders()} />;
}
