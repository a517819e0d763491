export { revokeInvitation } from './invitations';
