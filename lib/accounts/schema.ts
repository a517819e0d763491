import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';
import { EmailAddress } from './email-address';

/** How the dashboard shows times: in the browser's zone, or in UTC. */
const TimeZone = z.enum(['LOCAL', 'UTC']);

/** A person, as they see themselves. */
export const User = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  emailVerified: z.boolean(),
  hasPassword: z
    .boolean()
    .meta({ description: 'False for an account created through the identity provider, until a password is added' }),
  timeZone: TimeZone,
});
export type User = z.infer<typeof User>;

/** A password to set. ./password-policy.ts checks it, since its rules depend on the deployment. */
export const NewPassword = z.string();

/** A password to check. Refuses a null character: bcrypt treats `p` and `p\0p` alike. */
export const PresentedPassword = z
  .string()
  .min(1, 'must not be empty')
  .refine((password) => !password.includes('\0'), 'must not contain a null character');

export const UpdateMeBody = z.strictObject({
  name: Name.nullable().optional().meta({ description: 'The new name; null removes it' }),
  timeZone: TimeZone.optional(),
});
export type UpdateMeBody = z.infer<typeof UpdateMeBody>;

/** A token from a mailed link. */
const MailedToken = z.string().min(1).max(256);

export const VerifyEmailBody = z.strictObject({ token: MailedToken });
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>;

/** What a mailed link would confirm. */
export const VerifyEmailPreview = z.object({ purpose: z.enum(['EMAIL', 'PASSWORD']), email: z.string() });
export type VerifyEmailPreview = z.infer<typeof VerifyEmailPreview>;

export const ForgotPasswordBody = z.strictObject({ email: EmailAddress });
export type ForgotPasswordBody = z.infer<typeof ForgotPasswordBody>;

export const ResetPasswordBody = z.strictObject({ token: MailedToken, password: NewPassword });
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>;

export const ChangePasswordBody = z.strictObject({ currentPassword: PresentedPassword, newPassword: NewPassword });
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** A linked provider account. The person's id at the provider is never shown. */
export const Identity = z.object({ id: Id, provider: z.string(), createdAt: z.string() });
export type Identity = z.infer<typeof Identity>;
