import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { NewPassword, PresentedPassword, User } from '@/lib/accounts/schema';
import { OrganizationSummary } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';

export const RegisterBody = z.strictObject({
  email: EmailAddress,
  password: NewPassword,
  name: Name.optional(),
  organizationName: Name.optional().meta({ description: 'Default: derived from the person’s name' }),
  invitationToken: z.string().min(1).max(256).optional().meta({
    description:
      'Token of an invitation to this address: no organization is created, and the invitation can be accepted next',
  }),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

export const LoginBody = z.strictObject({ email: EmailAddress, password: PresentedPassword });
export type LoginBody = z.infer<typeof LoginBody>;

/** Read only when the request has no refresh cookie. */
export const RefreshBody = z.strictObject({ refreshToken: z.string().min(1).max(256).optional() });
export type RefreshBody = z.infer<typeof RefreshBody>;

export const SwitchOrganizationBody = z.strictObject({ organizationId: Id });
export type SwitchOrganizationBody = z.infer<typeof SwitchOrganizationBody>;

/** The response to every sign-in, refresh and switch of organization. */
export const SignedIn = z.object({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ description: 'Seconds until the access token expires' }),
  user: User,
  organization: OrganizationSummary.nullable().meta({
    description: 'The organization of the session; null for a person without one',
  }),
  refreshToken: z.string().optional().meta({
    description: 'Present only if the refresh token was sent in the body; browsers keep theirs in the cookie',
  }),
});
export type SignedIn = z.infer<typeof SignedIn>;

/** The session of a browser, or why it has none. */
export const RestoredSession = z.object({
  session: SignedIn.nullable(),
  ended: z.enum(['closed', 'expired']).nullable(),
});
export type RestoredSession = z.infer<typeof RestoredSession>;

export const Me = z.object({ user: User, organizations: z.array(OrganizationSummary) });
export type Me = z.infer<typeof Me>;

/** An open session of the caller. */
export const Session = z.object({
  id: Id,
  method: z.enum(['PASSWORD', 'IDP', 'DEVICE']),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable().meta({ description: 'As sent by the client, truncated to 512 characters' }),
  device: z.string().meta({ description: 'Such as `Chrome on macOS` or `CLI on build-box`' }),
  current: z.boolean().meta({ description: 'Whether this request belongs to the session' }),
});
export type Session = z.infer<typeof Session>;

export const CloseSessionsQuery = z.strictObject({
  keepCurrent: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: 'Whether the current session stays open' }),
});

export const StartDeviceBody = z.strictObject({
  clientName: Name.optional().meta({
    description: 'Name of the client, such as the name of its machine; shown to the person who approves it',
  }),
});
export type StartDeviceBody = z.infer<typeof StartDeviceBody>;

/** The start of a device sign-in (RFC 8628 section 3.2). */
export const DeviceCodes = z.object({
  deviceCode: z.string().meta({ description: 'The secret code that the client polls with' }),
  userCode: z.string().meta({ description: 'The code that the person types, as `XXXX-XXXX`' }),
  verificationUri: z.string(),
  verificationUriComplete: z.string(),
  expiresIn: z.number().int().meta({ description: 'Seconds until both codes expire' }),
  interval: z.number().int().meta({ description: 'Seconds to wait between polls' }),
});
export type DeviceCodes = z.infer<typeof DeviceCodes>;

/** A code as a person types it: case, dashes and spaces do not matter. */
export const UserCodeBody = z.strictObject({ userCode: z.string().min(1, 'must not be empty').max(64, 'is too long') });
export type UserCodeBody = z.infer<typeof UserCodeBody>;

/** The request behind a user code, as the person sees it. */
export const DeviceRequest = z.object({
  clientName: z.string().nullable(),
  ipAddress: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type DeviceRequest = z.infer<typeof DeviceRequest>;

export const DeviceTokenBody = z.strictObject({
  deviceCode: z.string().min(1, 'must not be empty').max(256, 'is too long'),
});
export type DeviceTokenBody = z.infer<typeof DeviceTokenBody>;
