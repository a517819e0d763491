export { createInvitation } from './invitations';
