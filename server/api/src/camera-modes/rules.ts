import type { CameraMode, ModePatch } from '@sightline/contract/camera-modes'
import type { ApiError } from '@sightline/contract/errors'
import type { Right } from '@sightline/contract/rights'

/** What decides whether a mode can be changed. */
export interface ModeGrounds {
  readonly before: CameraMode
  readonly next: CameraMode
  /** Whether there are times to record at in the mode `scheduled`. */
  readonly hasSchedule: boolean
}

/** The mode that a patch leads to. */
export const toNextMode = (before: CameraMode, { mode, recordingMode }: ModePatch): CameraMode => ({
  mode: mode ?? before.mode,
  recordingMode: recordingMode ?? before.recordingMode,
})

/** Why the mode can't be changed to that one now; undefined if it is possible. */
export function modeFault({ before, next, hasSchedule }: ModeGrounds): ApiError | undefined {
  if (next.mode === 'scheduled' && before.mode !== 'scheduled' && !hasSchedule) {
    return { error: 'businessRule', detail: 'add a recording schedule first: without one nothing would be recorded' }
  }
  return undefined
}

/** What the caller is, for {@link modeDenyReason}. */
export interface ModeCaller {
  readonly rights: ReadonlySet<Right>
  readonly support?: unknown
}

const denied = (detail: string): ApiError => ({ error: 'notAuthorized', detail })

/**
 * Why this caller can't make the change. The right cameraPrivacyButton only turns private mode on, and off to the mode
 * before. A support session never turns it off.
 */
export function modeDenyReason(
  { rights, support }: ModeCaller,
  { before, next, beforePrivate }: Pick<ModeGrounds, 'before' | 'next'> & { readonly beforePrivate: string },
): ApiError | undefined {
  const denial = zoneModeDenyReason({ support }, { before, next })
  if (denial !== undefined) return denial
  const endsPrivate = before.mode === 'private' && next.mode !== 'private'
  if (rights.has('editCamera')) return undefined
  const isButton = next.mode === 'private' || (endsPrivate && next.mode === beforePrivate)
  if (isButton && next.recordingMode === before.recordingMode) return undefined
  return denied('this needs the right editCamera; cameraPrivacyButton only turns private mode on and off')
}

/** Why this caller, who may change the zone, can't change its mode. */
export function zoneModeDenyReason(
  { support }: Pick<ModeCaller, 'support'>,
  { before, next }: Pick<ModeGrounds, 'before' | 'next'>,
): ApiError | undefined {
  const endsPrivate = before.mode === 'private' && next.mode !== 'private'
  return endsPrivate && support !== undefined ? denied("support can't turn off private mode") : undefined
}

/** Whether the caller may change modes at all, whatever the camera. */
export const canChangeModes = ({ rights }: ModeCaller): boolean =>
  rights.has('editCamera') || rights.has('cameraPrivacyButton')

/** Why the caller can't change how much is recorded before an event. */
export function preRollDenyReason(
  { rights }: ModeCaller,
  { before, preRollSeconds }: { readonly before: { readonly preRollSeconds: number }; readonly preRollSeconds: number },
): ApiError | undefined {
  if (preRollSeconds === before.preRollSeconds || rights.has('editCamera')) return undefined
  return denied('this needs the right editCamera')
}
