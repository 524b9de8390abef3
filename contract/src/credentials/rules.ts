/** Letters, digits and `- _ . , ! ? @ $ & * ^ = % : / \ ~ + # "` (specification §5 and §8, decision 22). */
const PASSWORD_CHARACTERS = /^[A-Za-z0-9\-_.,!?@$&*^=%:/\\~+#"]*$/

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 32

/**
 * The error for a new password; undefined if it is valid (specification §5). Existing passwords are not checked with
 * it: a shorter one still works. The server also rejects the most common ones.
 */
export function passwordProblem(text: string): string | undefined {
  if (!PASSWORD_CHARACTERS.test(text)) return 'Password contains invalid characters'
  const fits = text.length >= PASSWORD_MIN_LENGTH && text.length <= PASSWORD_MAX_LENGTH
  return fits ? undefined : 'Password should be 8-32 characters'
}

/** The error for the repeated password; undefined if it is valid. */
export const confirmationProblem = (password: string, confirmation: string): string | undefined =>
  password === confirmation ? undefined : 'Password does not match'

/** For the header `X-Password`: base64url of the UTF-8 bytes, without padding (decision 5). */
export function encodePasswordHeader(password: string): string {
  const binary = Array.from(new TextEncoder().encode(password), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The password in a header `X-Password`; undefined if it isn't base64url of UTF-8. */
export function decodePasswordHeader(header: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,1024}={0,2}$/.test(header)) return undefined
  try {
    const binary = atob(header.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}
