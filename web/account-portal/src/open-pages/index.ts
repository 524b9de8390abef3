/** Public pages, loaded together: separate files would split the code that the first screen shares with them. */
export { CookiePolicy } from './CookiePolicy.tsx'
export { FirstLogout } from './FirstLogout.tsx'
