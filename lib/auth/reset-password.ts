export { resetPassword } from './passwords';
