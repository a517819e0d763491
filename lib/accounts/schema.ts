import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';
import { EmailAddress } from './email-address';

/** How the dashboard shows times: in the browser's zone, or in UTC. */
const TimeZone = z.enum(['LOCAL', 'UTC']);

/** A person, as they see themselves. */
export const User = z.object({
  id: Id,
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
  name: field(z.string().nullable(), 'The person’s name; null if not set', 'Grace Hopper'),
  emailVerified: field(z.boolean(), 'Whether the email address is confirmed'),
  hasPassword: field(
    z.boolean(),
    'False for an account created through the identity provider, until a password is added',
  ),
  timeZone: field(TimeZone, 'Time zone of the dashboard: the browser’s, or UTC'),
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
  name: field(Name.nullable().optional(), 'The new name; null removes it', 'Grace Hopper'),
  timeZone: field(TimeZone.optional(), 'Time zone of the dashboard: the browser’s, or UTC'),
});
export type UpdateMeBody = z.infer<typeof UpdateMeBody>;

/** A token from a mailed link. */
const MailedToken = z.string().min(1).max(256);

export const VerifyEmailBody = z.strictObject({
  token: field(MailedToken, 'The token from the emailed link', 'sSqL0mJ1'),
});
export type VerifyEmailBody = z.infer<typeof VerifyEmailBody>;

/** What a mailed link would confirm. */
export const VerifyEmailPreview = z.object({
  purpose: field(
    z.enum(['EMAIL', 'PASSWORD']),
    'What the link confirms: the address, or a password set before the address was verified',
  ),
  email: field(z.string(), 'An email address, case-insensitive', 'grace@example.com'),
});
export type VerifyEmailPreview = z.infer<typeof VerifyEmailPreview>;

export const ForgotPasswordBody = z.strictObject({
  email: field(EmailAddress, 'An email address, case-insensitive', 'grace@example.com'),
});
export type ForgotPasswordBody = z.infer<typeof ForgotPasswordBody>;

export const ResetPasswordBody = z.strictObject({
  token: field(MailedToken, 'The token from the emailed link', 'sSqL0mJ1'),
  password: field(
    NewPassword,
    'At least 10 characters by default and at most 72 bytes; common passwords are rejected',
    'seven tall ships',
  ),
});
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>;

export const ChangePasswordBody = z.strictObject({
  currentPassword: field(PresentedPassword, 'The current password', 'seven tall ships'),
  newPassword: field(
    NewPassword,
    'At least 10 characters by default and at most 72 bytes; common passwords are rejected',
    'eight taller ships',
  ),
});
export type ChangePasswordBody = z.infer<typeof ChangePasswordBody>;

/** A linked provider account. The person's id at the provider is never shown. */
export const Identity = z.object({
  id: Id,
  provider: field(z.string(), 'The identity provider', 'Google'),
  createdAt: CreatedAt,
});
export type Identity = z.infer<typeof Identity>;
