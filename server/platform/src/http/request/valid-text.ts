/**
 * Whether PostgreSQL can keep a text as it is: it knows no U+0000, and half a surrogate pair is no character of UTF-8.
 * Asked where texts come in, because further inside it would be an error of ours.
 */
export const isValidText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** What to tell whoever sends another one. */
export const STORABLE = 'U+0000 and unpaired surrogates (U+D800 to U+DFFF) are not allowed'
