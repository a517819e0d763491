export { getMe } from './sign-in';
