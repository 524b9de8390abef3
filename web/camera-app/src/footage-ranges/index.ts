/** What the page of a camera takes from here, on demand. */
export { FootageMenu } from './FootageMenu.tsx'
