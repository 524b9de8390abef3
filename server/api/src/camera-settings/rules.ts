import {
  type CameraVideo,
  rightOfVideoSetting,
  type VideoSettingName,
  type VideoSettingsPatch,
  videoSettingNames,
} from '@sightline/contract/camera-settings'
import type { ApiError } from '@sightline/contract/errors'
import type { Right } from '@sightline/contract/rights'

type Rights = Pick<ReadonlySet<Right>, 'has'>

/** The settings that a patch names. */
export const settingNames = (patch: VideoSettingsPatch): readonly VideoSettingName[] =>
  videoSettingNames.filter((name) => patch[name] !== undefined)

const settingRights = ['editCamera', 'cameraExposureControl', 'cameraIllumination'] as const

/** Why a caller may not change what a patch names. */
export function patchDenyReason(rights: Rights, patch: VideoSettingsPatch): ApiError | undefined {
  if (!settingRights.some((right) => rights.has(right)))
    return { error: 'notAuthorized', detail: `this needs one of the rights ${settingRights.join(', ')}` }
  const missing = settingNames(patch)
    .map(rightOfVideoSetting)
    .find((right) => !rights.has(right))
  return missing === undefined ? undefined : { error: 'notAuthorized', detail: `this needs the right ${missing}` }
}

/**
 * Why a camera lacks a setting that a patch names; undefined if it has all. One whose options the camera didn't say may be tried,
 * because unknown is not unsupported.
 */
export function unavailableFault(
  unavailable: CameraVideo['unavailable'],
  patch: VideoSettingsPatch,
): string | undefined {
  for (const name of settingNames(patch)) {
    const reason = unavailable[name]
    if (reason === 'notOffered') return `${name}: the camera doesn't have this setting`
    if (reason === 'notStandard') return `${name}: cameras can't be asked for this by ONVIF`
  }
  return undefined
}

/** The values of some settings, for the audit log. */
export const pickSettings = (video: CameraVideo, names: readonly VideoSettingName[]) =>
  Object.fromEntries(names.map((name) => [name, video[name]]))
