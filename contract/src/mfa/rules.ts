/** Digits of a code (specification §9). */
export const CODE_LENGTH = 6

/** What people and programs put between: a code stays the same without it. */
const withoutGaps = (text: string): string => text.replaceAll(/[\s-]/g, '')

/** A code as it is compared: digits only where it is one of an authenticator app. */
const plainCode = (text: string): string => withoutGaps(text).toLowerCase()

const isAppCode = (text: string): boolean => new RegExp(`^\\d{${CODE_LENGTH}}$`).test(plainCode(text))

/** Ten letters and digits, as {@link formatRecoveryCode} shows them; `i`, `l` and `o` are read as the digits that they look like. */
const isRecoveryCode = (text: string): boolean => /^[0-9a-z]{10}$/.test(plainCode(text))

/** `k7m3q-9xw2p`: two groups, for people who copy it by hand. */
export const formatRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** What is wrong with the code of an authenticator app, as the text to show, or undefined (specification §5). */
export function codeProblem(text: string): string | undefined {
  if (plainCode(text) === '') return 'Required.'
  return isAppCode(text) ? undefined : '6 characters are required'
}

/** The same where a recovery code does as well. */
export const codeOrRecoveryProblem = (text: string): string | undefined =>
  isRecoveryCode(text) ? undefined : codeProblem(text)

export interface SubmittedCode {
  readonly kind: 'app' | 'recoveryCode'
  /** As it is compared. */
  readonly code: string
}

/** Which of the two was given; undefined where it can be neither. */
export function parseCode(text: string): SubmittedCode | undefined {
  if (isAppCode(text)) return { kind: 'app', code: plainCode(text) }
  if (!isRecoveryCode(text)) return undefined
  return { kind: 'recoveryCode', code: plainCode(text).replaceAll(/[il]/g, '1').replaceAll('o', '0') }
}
