/** Pages under this path are embedded in a host that handles the sign-in. */
export const isEmbedded = (pathname: string): boolean => pathname.startsWith('/settings')
