/**
 * Whether PostgreSQL can store a text unchanged: it rejects U+0000, and half a surrogate pair isn't valid in UTF-8.
 * Checked on input, because deeper inside it would be an internal error.
 */
export const isValidText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The error for invalid text. */
export const STORABLE = 'U+0000 and unpaired surrogates (U+D800 to U+DFFF) are not allowed'
