export { acceptInvitation, previewInvitation } from './invitations';
