import { isDerived } from '@sightline/contract/exports'
import type { DerivedOrder } from '@sightline/contract/footage-proof'
import type { ExportedClipAnswer } from '@sightline/contract/media-plane'
import type { ExportRow } from './store.ts'

/** What is drawn into the pictures, and how fast they are; undefined leaves them as they are. */
export function toDerivedOrder(
  { overlay, watermark, speed }: Pick<ExportRow, 'overlay' | 'watermark' | 'speed'>,
  { timeZone, logo }: { readonly timeZone: string; readonly logo: Buffer | undefined },
): DerivedOrder | undefined {
  if (!isDerived({ overlay, watermark, speed, logo: logo !== undefined })) return undefined
  return {
    ...(overlay && { timeZone }),
    ...(watermark !== null && { watermark }),
    ...(logo !== undefined && { logo: logo.toString('base64') }),
    ...(speed > 1 && { speed }),
  }
}

/** Whether a machine did what was ordered: one with an older version leaves out what it doesn't know. */
export const fitsOrder = (
  answer: Extract<ExportedClipAnswer, { kind: 'clip' }>,
  derived: DerivedOrder | undefined,
): boolean =>
  answer.isDerived === (derived !== undefined) &&
  (answer.hasLogo ?? false) === (derived?.logo !== undefined) &&
  (answer.speed ?? 1) === (derived?.speed ?? 1)
