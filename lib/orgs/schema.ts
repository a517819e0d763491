import * as z from 'zod';
import { EmailAddress } from '@/lib/accounts/email-address';
import { ROLES } from '@/lib/audit/types';
import { Id } from '@/lib/platform/ids';
import { Name } from '@/lib/platform/text';

export const RoleName = z.enum(ROLES);

/** An organization in a list, with the role of the person who asks. */
export const OrganizationSummary = z.object({ id: Id, name: z.string(), role: RoleName });
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

export const Organization = OrganizationSummary.extend({ createdAt: z.string() });
export type Organization = z.infer<typeof Organization>;

export const CreateOrganizationBody = z.strictObject({ name: Name });
export type CreateOrganizationBody = z.infer<typeof CreateOrganizationBody>;

export const UpdateOrganizationBody = z.strictObject({ name: Name.optional() });
export type UpdateOrganizationBody = z.infer<typeof UpdateOrganizationBody>;

export const Project = z.object({
  id: Id,
  organizationId: Id,
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Project = z.infer<typeof Project>;

export const ListedProject = Project.extend({
  lastEventAt: z.string().nullable().meta({ description: 'When its newest event was stored; null if there is none' }),
});
export type ListedProject = z.infer<typeof ListedProject>;

export const CreateProjectBody = z.strictObject({ name: Name });
export type CreateProjectBody = z.infer<typeof CreateProjectBody>;

export const UpdateProjectBody = z.strictObject({ name: Name.optional() });
export type UpdateProjectBody = z.infer<typeof UpdateProjectBody>;

/** A member of an organization, as its other members see them. */
export const Member = z.object({
  userId: Id,
  email: z.string(),
  name: z.string().nullable(),
  role: RoleName,
  createdAt: z.string().meta({ description: 'When they joined' }),
});
export type Member = z.infer<typeof Member>;

export const UpdateMemberBody = z.strictObject({ role: RoleName });
export type UpdateMemberBody = z.infer<typeof UpdateMemberBody>;

/** A pending invitation. Its token is only in the mail. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: RoleName,
  invitedBy: z.object({ id: Id, name: z.string().nullable(), email: z.string() }).nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = Invitation.extend({
  isEmailed: z.boolean().meta({ description: 'Whether this server sends email. If not, pass on a link' }),
});
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationLink = z.object({
  url: z.string().meta({ description: 'Link that accepts the invitation once, for its address only' }),
});
export type InvitationLink = z.infer<typeof InvitationLink>;

export const CreateInvitationBody = z.strictObject({ email: EmailAddress, role: RoleName });
export type CreateInvitationBody = z.infer<typeof CreateInvitationBody>;

export const InvitationTokenBody = z.strictObject({ token: z.string().min(1).max(256) });
export type InvitationTokenBody = z.infer<typeof InvitationTokenBody>;

/** The organization that a person has just joined. */
export const AcceptedInvitation = z.object({ organization: OrganizationSummary });
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>;

/** An invitation, as its link shows it. */
export const InvitationPreview = z.object({
  organizationName: z.string(),
  role: RoleName,
  email: z.string().meta({ description: 'The email address it was sent to' }),
  hasAccount: z.boolean().meta({ description: 'Whether that address has an account' }),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;
