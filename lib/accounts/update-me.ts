export { updateMe } from './accounts';
