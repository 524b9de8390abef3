/** Digits of a code (specification §9). */
export const CODE_LENGTH = 6

/** Separators that people and programs add; they don't change the code. */
const withoutGaps = (text: string): string => text.replaceAll(/[\s-]/g, '')

/** A code in its normal form: only digits if it is from an authenticator app. */
const plainCode = (text: string): string => withoutGaps(text).toLowerCase()

const isAppCode = (text: string): boolean => new RegExp(`^\\d{${CODE_LENGTH}}$`).test(plainCode(text))

/**
 * Ten letters and digits, as {@link formatRecoveryCode} formats them. `i`, `l` and `o` are read as the digits that they
 * resemble.
 */
const isRecoveryCode = (text: string): boolean => /^[0-9a-z]{10}$/.test(plainCode(text))

/** `k7m3q-9xw2p`: two groups, for people who copy it by hand. */
export const formatRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** The error for a code of an authenticator app; undefined if it is valid (specification §5). */
export function codeProblem(text: string): string | undefined {
  if (plainCode(text) === '') return 'Required.'
  return isAppCode(text) ? undefined : '6 characters are required'
}

/** The same if recovery codes are accepted too. */
export const codeOrRecoveryProblem = (text: string): string | undefined =>
  isRecoveryCode(text) ? undefined : codeProblem(text)

export interface SubmittedCode {
  readonly kind: 'app' | 'recoveryCode'
  /** In its normal form. */
  readonly code: string
}

/** Which of the two kinds it is; undefined if neither. */
export function parseCode(text: string): SubmittedCode | undefined {
  if (isAppCode(text)) return { kind: 'app', code: plainCode(text) }
  if (!isRecoveryCode(text)) return undefined
  return { kind: 'recoveryCode', code: plainCode(text).replaceAll(/[il]/g, '1').replaceAll('o', '0') }
}
