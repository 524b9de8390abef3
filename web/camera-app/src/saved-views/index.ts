export { LayoutMenu } from './LayoutMenu.tsx'
