import type { SubscriptionPackage } from '@sightline/contract/subscriptions'
import type { Mood } from '@sightline/kit'
import type { PackageStatus } from './package-form.ts'
import type { Text } from './text.ts'

type Quality = NonNullable<SubscriptionPackage['quality']>

export const qualityTexts: Readonly<Record<Quality, Text>> = {
  SD1: 'SD (VGA)',
  HD1: 'HD (720p)',
  HD2: 'Full HD (1080p)',
  CM10: 'Live only, no cloud recording',
}

export const statusTexts: Readonly<
  Record<PackageStatus, { readonly label: Text; readonly mood: Mood; readonly about: Text }>
> = {
  offered: { label: 'Available', mood: 'success', about: 'Every account can choose it.' },
  existing: {
    label: 'Existing customers only',
    mood: 'neutral',
    about: 'Only accounts that have it can renew it.',
  },
  retired: { label: 'Retired', mood: 'warning', about: 'No account can choose or renew it.' },
}
