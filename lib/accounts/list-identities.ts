export { listIdentities } from './accounts';
