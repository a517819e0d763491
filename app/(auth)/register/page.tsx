import type { Metadata } from 'next';
import { RegisterForm } from '@/components/auth/register-form';
import { whoMayRegister } from '@/lib/auth/registration';
import { listSignInProviders } from '@/lib/idp/idp-client';

export const metadata: Metadata = { title: 'Create your account' };

export default async function RegisterPage() {
  return <RegisterForm providers={listSignInProviders()} registration={await whoMayRegister()} />;
}
