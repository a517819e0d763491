import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { NewPassword, User } from '@/lib/accounts/schema';
import { OrganizationSummary } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';

export const RegisterBody = z.strictObject({
  email: EmailAddress,
  password: NewPassword,
  name: Name.optional(),
  /** Unset: named after the person. */
  organizationName: Name.optional(),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

/** A null character is refused: bcrypt takes `p` and `p\0p` for the same. */
const PresentedPassword = z
  .string()
  .min(1, 'must not be empty')
  .refine((password) => !password.includes('\0'), 'must not contain a null character');

export const LoginBody = z.strictObject({ email: EmailAddress, password: PresentedPassword });
export type LoginBody = z.infer<typeof LoginBody>;

/** Read only when no refresh cookie came (spec 5.2.3). */
export const RefreshBody = z.strictObject({ refreshToken: z.string().min(1).max(256).optional() });
export type RefreshBody = z.infer<typeof RefreshBody>;

export const SwitchOrganizationBody = z.strictObject({ organizationId: Id });
export type SwitchOrganizationBody = z.infer<typeof SwitchOrganizationBody>;

/** What every sign-in, refresh and switch answers. */
export const SignedIn = z.object({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  /** Seconds the access token lives. */
  expiresIn: z.number().int(),
  user: User,
  /** The organization the session is in; null when the person belongs to none. */
  organization: OrganizationSummary.nullable(),
  /** Only when the spent one came in a body: a browser's stays in its cookie. */
  refreshToken: z.string().optional(),
});
export type SignedIn = z.infer<typeof SignedIn>;

export const Me = z.object({ user: User, organizations: z.array(OrganizationSummary) });
export type Me = z.infer<typeof Me>;
