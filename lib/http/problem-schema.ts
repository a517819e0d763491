import * as z from 'zod';
import { ERRORS, type ErrorCode } from '@/lib/platform/errors';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** A problem document (RFC 9457): the body of every error response. */
export const Problem = z.object({
  type: z.url(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  errors: z
    .array(
      z.object({
        path: z.string().meta({ description: 'Dotted path of the field; empty for the entire request' }),
        message: z.string().meta({ description: 'What is wrong with the field' }),
      }),
    )
    .optional()
    .meta({ description: 'Present in every 400: what is wrong with each field' }),
  interval: z
    .int()
    .optional()
    .meta({ description: 'Present with `slow_down`: seconds to wait between polls from now on' }),
  organizations: z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .optional()
    .meta({ description: 'Present with `last_owner`: the organizations that would have no owner' }),
  parts: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Present with `unavailable` from `/api/health/ready`: the state of each part' }),
});
