export { Menu } from 'radix-ui/internal';
