/** The public keys that the lists of footage are signed with; the same on every host. */
export const FOOTAGE_KEYS_PATH = '/.well-known/footage-keys.json'
