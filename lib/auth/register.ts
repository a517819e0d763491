export { register } from './login';
