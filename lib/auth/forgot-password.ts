export { forgotPassword } from './passwords';
