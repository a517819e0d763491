export { readClaims } from './claims';
