import {
  type CameraVideo,
  type VideoSettingName,
  type VideoSettingsPatch,
  videoSettingNames,
} from '@sightline/contract/camera-settings'
import type { Rules } from '@sightline/kit'
import type { Text } from './text.ts'

/** A setting as text; empty if the camera doesn't say. */
export interface VideoValues {
  readonly [field: string]: string
}

export const toValues = (video: CameraVideo): VideoValues =>
  Object.fromEntries(videoSettingNames.map((name) => [name, video[name] === null ? '' : String(video[name])]))

/** Only what was changed, so that a user with one right sends nothing that needs another. */
export function toPatch(saved: CameraVideo, values: VideoValues): VideoSettingsPatch {
  const before = toValues(saved)
  const changed = videoSettingNames.filter((name) => values[name] !== '' && values[name] !== before[name])
  return Object.fromEntries(changed.map((name) => [name, toValue(name, values[name] ?? '')]))
}

function toValue(name: VideoSettingName, value: string): string | number | boolean {
  if (name === 'rotateImage' || isNumberSetting(name)) return Number(value)
  return name === 'colorNightView' ? value === 'true' : value
}

export type NumberSetting = 'framesPerSecond' | 'maxBandwidth' | 'keyframeInterval'

const required: Readonly<Record<NumberSetting, Text>> = {
  framesPerSecond: 'Enter a frame rate.',
  maxBandwidth: 'Enter a bandwidth.',
  keyframeInterval: 'Enter a number of frames.',
}

const isNumberSetting = (name: VideoSettingName): name is NumberSetting => Object.hasOwn(required, name)

/** A number within what the camera offers. One that the camera doesn't offer can't be entered, so it has no rule. */
export function videoRules(
  { options }: CameraVideo,
  say: (text: Text, values?: Record<string, number>) => string,
): Rules<VideoValues> {
  const rule = (name: NumberSetting) => (value: string) => {
    const range = options[name]
    if (range === undefined) return undefined
    if (value.trim() === '') return say(required[name])
    const number = Number(value)
    const isWhole = name === 'framesPerSecond' || Number.isInteger(number)
    if (Number.isFinite(number) && isWhole && number >= range.min && number <= range.max) return undefined
    return say('Enter a number from {min} to {max}.', { min: range.min, max: range.max })
  }
  return {
    framesPerSecond: rule('framesPerSecond'),
    maxBandwidth: rule('maxBandwidth'),
    keyframeInterval: rule('keyframeInterval'),
  }
}
