import { anyone } from '@/lib/api/callers';
import { route } from '@/lib/http/route';
import { IMMUTABLE } from '@/lib/http/static-files';
import { getLogo } from '@/lib/portal/settings';
import manifest from '@/package.json' with { type: 'json' };
import { readPackage } from './package-file';

const CONTENT_TYPE = 'application/gzip';

export const getPackage = route({
  summary: 'Download the npm package with the client library and the eds command line.',
  caller: anyone(),
  response: {
    status: 200,
    headers: ['Content-Disposition', 'ETag'],
    alternatives: [{ status: 200, contentType: CONTENT_TYPE }],
  },
  servedBy: 'node',
  handler: async () => {
    const { content, tag } = await readPackage();
    return {
      status: 200,
      raw: { contentType: CONTENT_TYPE, content },
      headers: {
        // It has no secret. A new version of the service replaces it at the same URL.
        'Cache-Control': 'no-cache',
        'Content-Disposition': `attachment; filename="event-delivery-client-${manifest.version}.tgz"`,
        'Content-Length': String(content.length),
        ETag: tag,
      },
    };
  },
});

export const getPortalLogo = route({
  summary: 'Download the logo of a portal. Its path contains a hash of its content.',
  caller: anyone(),
  params: ['hash'],
  response: {
    status: 200,
    alternatives: ['image/png', 'image/jpeg', 'image/webp'].map((contentType) => ({ status: 200, contentType })),
  },
  servedBy: 'node',
  handler: async ({ params }) => {
    const { mediaType, content } = await getLogo(params.hash);
    return {
      status: 200,
      raw: { contentType: mediaType, content },
      headers: { 'Cache-Control': IMMUTABLE, 'Content-Length': String(content.length) },
    };
  },
});
