import { callApi } from './api';

/** A source with a destination. */
export interface TestSource {
  id: string;
  /** The path of its URL. */
  path: string;
  secret: string;
  destinationIds: string[];
}

/** Makes a source whose provider signs, with a destination for each URL. */
export async function makeSource(
  baseUrl: string,
  { key, projectId }: { key: string; projectId: string },
  urls: readonly string[],
  provider: 'GITHUB' | 'STRIPE' = 'GITHUB',
): Promise<TestSource> {
  const secret = `secret of ${provider}`;
  const make = <T>(path: string, body: unknown) =>
    callApi<T>(baseUrl, 'POST', `/projects/${projectId}/sources${path}`, { key, body });
  const { id, url } = await make<{ id: string; url: string }>('', { name: 'Shop', provider, secret });
  const destinationIds: string[] = [];
  for (const each of urls) {
    const body = { url: each, retrySeconds: [1, 1, 1, 1] };
    destinationIds.push((await make<{ id: string }>(`/${id}/destinations`, body)).id);
  }
  return { id, path: new URL(url).pathname, secret, destinationIds };
}
