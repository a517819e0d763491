import type { Metadata } from 'next';
import { LoginForm } from '@/components/auth/login-form';
import { loginNoticeOf } from '@/components/auth/login-notices';
import { whoMayRegister } from '@/lib/auth/registration';
import { listSignInProviders } from '@/lib/idp/idp-client';
import { config } from '@/lib/platform/config/config';

export const metadata: Metadata = { title: 'Sign in' };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const query = await searchParams;
  const get = (name: string) => [query[name] ?? []].flat()[0] ?? null;
  const notice = loginNoticeOf({ get }, config().AUTH_REFRESH_TOKEN_SECONDS);
  return <LoginForm providers={listSignInProviders()} registration={await whoMayRegister()} notice={notice} />;
}
