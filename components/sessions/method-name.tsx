'use client';

import { useProviders } from '@/components/account/use-account';
import type { Session } from '@/lib/auth/schema';

/** The sign-in method of a session. */
export function MethodName({ method }: { method: Session['method'] }) {
  const { data } = useProviders();
  if (method === 'PASSWORD') return 'Password';
  if (method === 'DEVICE') return 'Device code';
  return data?.data[0]?.name ?? 'Identity provider';
}
