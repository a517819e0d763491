import { createHmac, randomUUID } from 'node:crypto';
import type { Destination, Source, SourceProvider } from '@/lib/incoming/schema';
import { callApi } from './api';
import { fetchChecked } from './check-response';

/** A source whose URL can be shown, as that of every new source. */
export type MadeSource = Source & { url: string };

/** Who creates sources: the token of a person, and a project of theirs. */
export interface Creator {
  token: string;
  projectId: string;
}

/** Creates a source through the API. Without `secret`, it has a generated one if the provider does not generate it. */
export function makeSource(
  { token, projectId }: Creator,
  provider: SourceProvider,
  secret?: string,
): Promise<MadeSource> {
  const body = { name: `${provider} source`, provider, secret };
  return callApi<MadeSource>('POST', `/projects/${projectId}/sources`, { token, body });
}

/** Creates a destination of a source through the API. */
export function makeDestination(
  { token, projectId }: Creator,
  source: Source,
  body: { url: string; retrySeconds?: number[]; enabled?: boolean; signing?: boolean },
): Promise<Destination> {
  const path = `/projects/${projectId}/sources/${source.id}/destinations`;
  return callApi<Destination>('POST', path, { token, body });
}

/** Reads the secret of a source through the API. */
export async function secretOf({ token, projectId }: Creator, source: Source): Promise<string> {
  const path = `/projects/${projectId}/sources/${source.id}/secret`;
  return (await callApi<{ secret: string }>('GET', path, { token })).secret;
}

/** Posts to a source as GitHub does, signed with the secret. Returns the status and the id of the incoming event. */
export async function sendAsGitHub(
  url: string,
  secret: string,
  body: string,
): Promise<{ status: number; id: string | undefined }> {
  const response = await fetchChecked(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': randomUUID(),
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });
  const answer = (await response.json()) as { id?: string };
  return { status: response.status, id: answer.id };
}
