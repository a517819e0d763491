import * as z from 'zod';
import { ERRORS, type ErrorCode } from '@/lib/platform/errors';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** A problem document (RFC 9457), which every refusal has as its body. */
export const Problem = z.object({
  type: z.url(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  /** With every 400: what is wrong where. The path is empty for the request as a whole. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** With `slow_down`: seconds to wait between two polls from now on. */
  interval: z.int().optional(),
  /** With `last_owner`: the organizations that would be left without an owner. */
  organizations: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
  /** With `unavailable` of /api/health/ready: the state of each part. */
  parts: z.record(z.string(), z.string()).optional(),
});
