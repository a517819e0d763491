import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';

/** A person as they see themselves. */
export const User = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  emailVerified: z.boolean(),
  /** False for an account made through the identity provider, until a password is added. */
  hasPassword: z.boolean(),
});
export type User = z.infer<typeof User>;

/** A password to be set. Its rules depend on the deployment and stand in ./password-policy.ts. */
export const NewPassword = z.string();

export const UpdateMeBody = z.strictObject({
  /** Null takes the name away. */
  name: Name.nullable().optional(),
});
export type UpdateMeBody = z.infer<typeof UpdateMeBody>;

export const VerifyEmailBody = z.strictObject({ token: z.string().min(1).max(256) });
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>;
