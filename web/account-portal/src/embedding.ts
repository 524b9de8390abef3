/** Pages under this path are embedded in a host, which signs in by itself. */
export const isEmbedded = (pathname: string): boolean => pathname.startsWith('/settings')
