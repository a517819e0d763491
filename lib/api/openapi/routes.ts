import * as z from 'zod';
import { anyone } from '@/lib/api/callers';
import type { ApiResponse } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { readDocument } from './document-file';

const OpenApiDocument = z.looseObject({
  openapi: z.string().meta({ description: 'The OpenAPI version', examples: ['3.1.1'] }),
});

export const get = route({
  summary: 'Get the OpenAPI 3.1 description of this API.',
  caller: anyone(),
  response: { status: 200, schema: OpenApiDocument },
  servedBy: 'node',
  handler: async (): Promise<ApiResponse<z.infer<typeof OpenApiDocument>>> => {
    const { content, gzip, tag } = await readDocument();
    return { status: 200, raw: { contentType: 'application/json', content, gzip }, headers: { ETag: tag } };
  },
});
