export { markedCredential } from './credentials';
