import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { ROLES } from '@/lib/audit/types';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { Name } from '@/lib/platform/text';

export const RoleName = z.enum(ROLES).meta({ examples: ['DEVELOPER'] });

/** An organization in a list, with the role of the person who asks. */
export const OrganizationSummary = z.object({
  id: Id,
  name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
  role: RoleName.meta({ description: 'The person’s role in the organization' }),
});
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

export const Organization = OrganizationSummary.extend({ createdAt: CreatedAt });
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z.strictObject({
  name: Name.meta({ description: 'Its name', examples: ['Analytical Engines'] }),
});
export type CreateOrganizationBody = z.infer<typeof CreateOrganizationBody>;

export const UpdateOrganizationBody = z.strictObject({
  name: Name.optional().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
});
export type UpdateOrganizationBody = z.infer<typeof UpdateOrganizationBody>;

export const Project = z.object({
  id: Id,
  organizationId: Id.meta({ description: 'The organization' }),
  name: z.string().meta({ description: 'Its name', examples: ['Web shop'] }),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});
export type Project = z.infer<typeof Project>;

export const ListedProject = Project.extend({
  lastEventAt: Time.nullable().meta({ description: 'When its newest event was stored; null if there is none' }),
});
export type ListedProject = z.infer<typeof ListedProject>;

export const CreateProjectBody = z.strictObject({
  name: Name.meta({ description: 'Its name', examples: ['Web shop'] }),
});
export type CreateProjectBody = z.infer<typeof CreateProjectBody>;

export const UpdateProjectBody = z.strictObject({
  name: Name.optional().meta({ description: 'Its name', examples: ['Web shop'] }),
});
export type UpdateProjectBody = z.infer<typeof UpdateProjectBody>;

/** A member of an organization, as its other members see them. */
export const Member = z.object({
  userId: Id.meta({ description: 'The person' }),
  email: z.string().meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'The person’s name; null if not set', examples: ['Grace Hopper'] }),
  role: RoleName.meta({ description: 'The person’s role in the organization' }),
  createdAt: Time.meta({ description: 'When they joined' }),
});
export type Member = z.infer<typeof Member>;

export const UpdateMemberBody = z.strictObject({
  role: RoleName.meta({ description: 'The person’s role in the organization', examples: ['ADMIN'] }),
});
export type UpdateMemberBody = z.infer<typeof UpdateMemberBody>;

/** A pending invitation. Its token is only in the mail. */
export const Invitation = z.object({
  id: Id,
  email: z.string().meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
  role: RoleName.meta({ description: 'The person’s role in the organization' }),
  invitedBy: z
    .object({
      id: Id,
      name: z
        .string()
        .nullable()
        .meta({ description: 'The person’s name; null if not set', examples: ['Ada Lovelace'] }),
      email: z.string().meta({ description: 'An email address, case-insensitive', examples: ['ada@example.com'] }),
    })
    .nullable()
    .meta({ description: 'Who sent the invitation; null if that account is deleted' }),
  createdAt: CreatedAt,
  expiresAt: Time.meta({ description: 'When it expires', examples: ['2036-01-31T09:30:00.000Z'] }),
});
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = Invitation.extend({
  isEmailed: z.boolean().meta({ description: 'Whether this server sends email. If not, pass on a link' }),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationLink = z.object({
  url: z.string().meta({
    description: 'Link that accepts the invitation once, for its address only',
    examples: ['https://events.example.com/invitations/accept#token=sSqL0mJ1'],
  }),
});
export type InvitationLink = z.infer<typeof InvitationLink>;

export const CreateInvitationBody = z.strictObject({
  email: EmailAddress.meta({ description: 'An email address, case-insensitive', examples: ['grace@example.com'] }),
  role: RoleName.meta({ description: 'The person’s role in the organization' }),
});
export type CreateInvitationBody = z.infer<typeof CreateInvitationBody>;

export const InvitationTokenBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({ description: 'The token from the emailed link', examples: ['sSqL0mJ1'] }),
});
export type InvitationTokenBody = z.infer<typeof InvitationTokenBody>;

/** The organization that a person has just joined. */
export const AcceptedInvitation = z.object({
  organization: OrganizationSummary.meta({ description: 'The organization' }),
});
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

/** An invitation, as its link shows it. */
export const InvitationPreview = z.object({
  organizationName: z.string().meta({ description: 'The name of the organization', examples: ['Analytical Engines'] }),
  role: RoleName.meta({ description: 'The person’s role in the organization' }),
  email: z.string().meta({ description: 'The email address it was sent to', examples: ['grace@example.com'] }),
  hasAccount: z.boolean().meta({ description: 'Whether that address has an account' }),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;
