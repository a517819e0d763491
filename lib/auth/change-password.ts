export { changePassword } from './passwords';
