import { loadIndex } from '@/app/docs/content';

/** Made by the build: it is the same for every reader. */
export const dynamic = 'force-static';

/** Sends the index of the search, for `readIndex`. */
export async function GET(): Promise<Response> {
  return Response.json(await loadIndex());
}
