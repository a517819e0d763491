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
  organizationName: Name.optional().meta({ description: 'Default: named after the person' }),
  invitationToken: z.string().min(1).max(256).optional().meta({
    description:
      'Of an invitation to this address: the person gets no organization of their own, and can accept it next',
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
    description: 'The organization of the session; null when the person is not a member of any',
  }),
  refreshToken: z
    .string()
    .optional()
    .meta({ description: 'Only when the spent token came in a body: a browser keeps its own in the cookie' }),
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
  userAgent: z.string().nullable().meta({ description: 'As it was sent, cut to 512 characters' }),
  device: z.string().meta({ description: 'Such as "Chrome on macOS", "CLI on build-box"' }),
  current: z.boolean().meta({ description: 'Whether the request came from this session' }),
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
    description: "What the client calls itself, such as its machine's name; shown to the person who approves it",
  }),
});
export type StartDeviceBody = z.infer<typeof StartDeviceBody>;

/** The start of a device sign-in (RFC 8628 section 3.2). */
export const DeviceCodes = z.object({
  deviceCode: z.string().meta({ description: 'The client polls with it and keeps it secret' }),
  userCode: z.string().meta({ description: 'The person types it: XXXX-XXXX' }),
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
