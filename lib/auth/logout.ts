export { logout } from './refresh';
