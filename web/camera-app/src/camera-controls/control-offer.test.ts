import type { CameraVideo } from '@sightline/contract/camera-settings'
import type { Right } from '@sightline/contract/rights'
import { expect, test } from 'vitest'
import { isOffered, offeredSettings } from './control-offer.ts'

const options: CameraVideo['options'] = {
  illumination: ['on', 'off'],
  dayNight: ['auto', 'day'],
  backlight: ['off', 'WDR'],
}
const names = (rights: readonly Right[], of = options) =>
  offeredSettings({ options: of }, new Set(rights)).map(({ name }) => name)

test('each right offers what it names, and no other', () => {
  expect(names(['cameraIllumination'])).toEqual(['illumination'])
  expect(names(['cameraExposureControl'])).toEqual(['dayNight', 'backlight'])
  expect(names(['editCamera', 'ptz', 'cameraPrivacyButton', 'microphone'])).toEqual([])
})

test('what a camera lacks, or has one choice of, is not offered', () => {
  const all: readonly Right[] = ['cameraIllumination', 'cameraExposureControl']
  expect(names(all, {})).toEqual([])
  expect(names(all, { illumination: ['on'], dayNight: ['auto', 'night'] })).toEqual(['dayNight'])
  expect(offeredSettings(undefined, new Set(all))).toEqual([])
  expect(isOffered({ settings: [], focus: undefined, microphone: false })).toBe(false)
})
