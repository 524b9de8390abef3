import type { ExportFormat, ExportSpeed, NewExport } from '@sightline/contract/exports'
import { steersText } from '@sightline/contract/user-details'
import type { Text } from './text.ts'

/** Of the contract: the shortest and the longest password. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const

/** Of the contract: the longest name. */
export const MAX_NAME = 100

/** Of the contract: the longest watermark. */
export const MAX_WATERMARK = 100

/** What a person wants from an export, as typed. */
export interface ExportWish {
  readonly format: ExportFormat
  /** Empty: the file opens without one. */
  readonly password: string
  readonly reason: string
  /** Of the file; empty: the numbers of the export. */
  readonly name: string
  /** Name and time in the pictures. */
  readonly overlay: boolean
  /** Text in the pictures; empty: none. */
  readonly watermark: string
  /** The brand's logo in the pictures. */
  readonly logo: boolean
  /** So many times faster than recorded. */
  readonly speed: ExportSpeed
}

/** The body of the call, with times as they are sent. */
export type ExportBody = Omit<NewExport, 'from' | 'till'> & { readonly from: string; readonly till: string }

export const noWish: ExportWish = {
  format: 'zip',
  password: '',
  reason: '',
  name: '',
  overlay: false,
  watermark: '',
  logo: false,
  speed: 1,
}

export interface WishedFootage {
  readonly cameraIds: readonly number[]
  /** Milliseconds since 1970. */
  readonly span: { readonly from: number; readonly till: number }
}

/** What is wrong with the name of a file. */
export const findNameFault = (name: string): Text | undefined =>
  steersText(name) ? 'Remove control characters and hidden characters' : undefined

/** Why the wish can't be sent yet; undefined if it can. */
export function findWishFault({ format, password, name }: ExportWish): Text | undefined {
  const nameFault = findNameFault(name)
  if (nameFault !== undefined) return nameFault
  if (format !== 'zip' || password === '' || password.length >= PASSWORD_LENGTH.min) return undefined
  return 'Use at least 8 characters'
}

/** Several cameras make a ZIP file; only that has a password. */
export function toNewExport(
  { cameraIds, span }: WishedFootage,
  { format, password, reason, name, overlay, watermark, logo, speed }: ExportWish,
): ExportBody {
  const isZip = format === 'zip' || cameraIds.length > 1
  const why = reason.trim()
  const title = name.trim()
  const mark = watermark.trim()
  return {
    cameraIds: [...cameraIds],
    from: new Date(span.from).toISOString(),
    till: new Date(span.till).toISOString(),
    format: isZip ? 'zip' : 'mp4',
    ...(isZip && password !== '' && { password }),
    ...(title !== '' && { name: title }),
    ...(why !== '' && { reason: why }),
    ...(overlay && { overlay }),
    ...(mark !== '' && { watermark: mark }),
    ...(logo && { logo }),
    ...(speed > 1 && { speed }),
  }
}

export type PasswordStrength = 'weak' | 'fair' | 'strong'

/** Kinds of characters, and how many of each there are to choose from. */
const ALPHABETS = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
] as const

/**
 * A rough hint, from the bits that a random password of these characters would have. Repeated characters count half. Someone with the
 * file can try passwords without limit, so that the limits are higher than for a sign-in.
 */
export function passwordStrength(password: string): PasswordStrength {
  const letters = [...password]
  const distinct = new Set(letters).size
  const alphabet = ALPHABETS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  const bits = (distinct + (letters.length - distinct) / 2) * Math.log2(Math.max(1, alphabet))
  if (bits < 50) return 'weak'
  return bits < 75 ? 'fair' : 'strong'
}
