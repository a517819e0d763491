export { switchOrganization } from './refresh';
