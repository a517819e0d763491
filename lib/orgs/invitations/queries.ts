export { listInvitations } from './invitations';
