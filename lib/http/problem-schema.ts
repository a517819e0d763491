import * as z from 'zod';
import { ERRORS, type ErrorCode } from '@/lib/platform/errors';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** A problem document (RFC 9457): the body of every error response. */
export const Problem = z.object({
  type: z.url().meta({
    description: 'URL of a page that explains the code',
    examples: ['https://events.example.com/docs/api/errors#validation_failed'],
  }),
  title: z.string().meta({ description: 'The HTTP status in words' }),
  status: z.int().min(400).max(599).meta({ description: 'The HTTP status' }),
  detail: z
    .string()
    .meta({ description: 'Human-readable explanation of this error', examples: ['url: must be an absolute URL'] }),
  code: z.enum(codes).meta({
    description: 'Machine-readable and stable: branch on it',
    // Open: a client must survive a code that a later version adds.
    openapi: { type: 'string', 'x-extensible-enum': codes },
  }),
  requestId: z.string().meta({ description: 'Identifies the request in the logs' }),
  errors: z
    .array(
      z.object({
        path: z
          .string()
          .meta({ description: 'Dotted path of the field; empty for the entire request', examples: ['url'] }),
        message: z
          .string()
          .meta({ description: 'What is wrong with the field', examples: ['must be an absolute URL'] }),
      }),
    )
    .optional()
    .meta({ description: 'Present in every 400: what is wrong with each field' }),
  interval: z
    .int()
    .optional()
    .meta({ description: 'Present with `slow_down`: seconds to wait between polls from now on', examples: [5] }),
  organizations: z
    .array(
      z.object({
        id: z.uuid().meta({ description: 'The organization' }),
        name: z.string().meta({ description: 'Its name', examples: ['Web shop'] }),
      }),
    )
    .optional()
    .meta({ description: 'Present with `last_owner`: the organizations that would have no owner' }),
  parts: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Present with `unavailable` from `/api/health/ready`: the state of each part' }),
});
