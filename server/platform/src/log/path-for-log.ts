/** Ids, tokens and codes in a path are 16 characters and more of these, with a digit or mixed case among them. */
const SECRET_SEGMENT = /^(?=.*[0-9A-Z])[A-Za-z0-9_-]{16,}$/

/** A path as it may be written down: without its query, and without segments that look like a secret. */
export const pathForLog = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .map((segment) => (SECRET_SEGMENT.test(segment) ? '…' : segment))
    .join('/')
