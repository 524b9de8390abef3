import type { FocusCapabilities } from '@sightline/contract/camera-focus'
import { type CameraVideo, rightOfVideoSetting } from '@sightline/contract/camera-settings'
import type { Right } from '@sightline/contract/rights'

/** The settings of a picture that are changed while it is watched. */
export const quickSettings = ['illumination', 'dayNight', 'backlight'] as const
export type QuickSetting = (typeof quickSettings)[number]

/** What a user may change of a camera that can do it. Undefined where one of the two is missing. */
export interface ControlOffer {
  readonly settings: readonly { readonly name: QuickSetting; readonly choices: readonly string[] }[]
  readonly focus: FocusCapabilities | undefined
  /** Whether its sound can be switched. */
  readonly microphone: boolean
}

/** Settings of which the camera offers a choice, and that these rights change. */
export const offeredSettings = (
  video: Pick<CameraVideo, 'options'> | undefined,
  rights: ReadonlySet<Right>,
): ControlOffer['settings'] =>
  quickSettings.flatMap((name) => {
    const choices = video?.options[name] ?? []
    return choices.length > 1 && rights.has(rightOfVideoSetting(name)) ? [{ name, choices }] : []
  })

export const isOffered = ({ settings, focus, microphone }: ControlOffer): boolean =>
  settings.length > 0 || focus !== undefined || microphone
