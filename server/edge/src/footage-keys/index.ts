/** The public keys that the lists of footage are signed with; the same on every host. */
export const FOOTAGE_KEYS_PATH = '/.well-known/footage-keys.json'

/** A page of one file that checks exported footage, here or without a server; the same on every host. */
export const FOOTAGE_CHECK_PATH = '/footage-check.html'

const POLICY = /<meta http-equiv="content-security-policy" content="([^"]+)">/

/** The policy that the page brings, as a header. It names its script and style by their hashes and lets it connect to nothing. */
export const checkPagePolicy = (page: string): string =>
  `${POLICY.exec(page)?.[1] ?? "default-src 'none'"}; frame-ancestors 'none'`
