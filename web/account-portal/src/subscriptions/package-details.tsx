import type { SubscriptionPackage } from '@sightline/contract/subscriptions'
import type { Detail } from '@sightline/kit'
import type { Translation } from '@sightline/shell'
import { namedPackage } from './chooser.ts'
import type { SubscriptionText } from './text.ts'

type Shown = Pick<SubscriptionPackage, 'name' | 'sku' | 'quality' | 'retention' | 'maxAmountOfCameras'>

const qualityTexts: Readonly<Record<NonNullable<Shown['quality']>, SubscriptionText>> = {
  SD1: 'VGA',
  HD1: '720p',
  HD2: '1080p',
  CM10: 'No cloud storage',
}

export const qualityText = (quality: NonNullable<Shown['quality']>, t: Translation<SubscriptionText>): string =>
  t(qualityTexts[quality])

/** What a package includes. A custom package omits some values. */
export function packageDetails(of: Shown, t: Translation<SubscriptionText>): readonly Detail[] {
  const cameras = of.maxAmountOfCameras ?? namedPackage(of).cameras
  return [
    ...(of.retention === null
      ? []
      : [{ label: t('Days of recording'), value: of.retention === 0 ? t('None (live only)') : of.retention / 24 }]),
    ...(of.quality === null ? [] : [{ label: t('Video quality'), value: qualityText(of.quality, t) }]),
    { label: t('Maximum number of cameras'), value: cameras ?? t('As agreed') },
  ]
}
