export { createInvitationLink } from './invitations';
