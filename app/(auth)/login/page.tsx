import type { Metadata } from 'next';
import { LoginForm } from '@/components/auth/login-form';
import { loginNoticeOf } from '@/components/auth/login-notices';
import { whoMayRegister } from '@/lib/auth/registration';
import { listSignInProviders } from '@/lib/idp/idp-client';

export const metadata: Metadata = { title: 'Sign in' };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const query = await searchParams;
  const notice = loginNoticeOf({ get: (name) => [query[name] ?? []].flat()[0] ?? null });
  return <LoginForm providers={listSignInProviders()} registration={await whoMayRegister()} notice={notice} />;
}
