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
  /** With every 400. An empty path is the entire request. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** With `slow_down`: the seconds between two polls from here on. */
  interval: z.int().optional(),
  /** With `last_owner`: the organizations that would have no owner. */
  organizations: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
  /** With `unavailable` of /api/health/ready: the state of each part. */
  parts: z.record(z.string(), z.string()).optional(),
});
