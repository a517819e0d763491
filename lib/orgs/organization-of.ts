export { organizationOf } from './tenant';
