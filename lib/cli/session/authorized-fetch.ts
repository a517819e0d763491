import { parseObject, readText } from '@/lib/client/read-body';

const MAX_PROBLEM_BYTES = 64 * 1024;

/** Repeats a request once with another token when the server says that the token has expired: clocks may differ. */
export function repeatingExpired(send: typeof fetch, refresh: (rejected: string) => Promise<string>): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const rejected = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '');
    if (response.status !== 401 || rejected === undefined || !(await isExpired(response))) return response;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await refresh(rejected)}`);
    return await send(input, { ...init, headers });
  };
}

async function isExpired(response: Response): Promise<boolean> {
  const text = await readText(response.clone(), MAX_PROBLEM_BYTES).catch(() => null);
  return parseObject(text)?.code === 'token_expired';
}
