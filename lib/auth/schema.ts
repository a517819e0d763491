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
  /** Unset: named after the person. */
  organizationName: Name.optional(),
});
export type RegisterBody = z.infer<typeof RegisterBody>;

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

/** One open sign-in of the caller. */
export const Session = z.object({
  id: Id,
  method: z.enum(['PASSWORD', 'IDP', 'DEVICE']),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  ipAddress: z.string().nullable(),
  /** As it was sent, at most 512 characters. */
  userAgent: z.string().nullable(),
  /** In words: "Chrome on macOS", "CLI on build-box". */
  device: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

export const CloseSessionsQuery = z.strictObject({
  /** Whether the session that asks stays open. */
  keepCurrent: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
});

export const StartDeviceBody = z.strictObject({
  /** What the client calls itself, such as the name of its machine; shown to whoever approves it. */
  clientName: Name.optional(),
});
export type StartDeviceBody = z.infer<typeof StartDeviceBody>;

/** The start of a sign-in by device code (RFC 8628 section 3.2). */
export const DeviceCodes = z.object({
  /** For the client to poll with, and to keep to itself. */
  deviceCode: z.string(),
  /** For the person: XXXX-XXXX. */
  userCode: z.string(),
  verificationUri: z.string(),
  verificationUriComplete: z.string(),
  /** Seconds until both codes end. */
  expiresIn: z.number().int(),
  /** Seconds to wait between two polls. */
  interval: z.number().int(),
});
export type DeviceCodes = z.infer<typeof DeviceCodes>;

/** A code as a person types it: case, dashes and spaces do not matter. */
export const UserCodeBody = z.strictObject({ userCode: z.string().min(1, 'must not be empty').max(64, 'is too long') });
export type UserCodeBody = z.infer<typeof UserCodeBody>;

/** What asks to be approved, as the person sees it. */
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
