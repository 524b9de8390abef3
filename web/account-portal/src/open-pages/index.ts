/** Pages that need no sign-in, loaded together: each by itself would split what the first screen shares with them. */
export { CookiePolicy } from './CookiePolicy.tsx'
export { FirstLogout } from './FirstLogout.tsx'
