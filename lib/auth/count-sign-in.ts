export { countSignIn } from './login';
