import type { LaterText } from '@sightline/client'
import { Banner } from '@sightline/kit/page'
import { useTranslation } from './translation.ts'

interface SupportBannerProps {
  /** Who reads it: the person of support inside the account, or somebody of the account. */
  side: 'support' | 'account'
  /** Of the account for support, of the person for the account. */
  name: string
  /** Leaves the account, or ends the access; without it there is no button. */
  onEnd?: (() => void) | undefined
  busy?: boolean
}

/** Says for as long as it lasts that support is inside an account, to both sides; the one control ends it. */
export function SupportBanner({ side, name, onEnd, busy = false }: SupportBannerProps) {
  const t = useTranslation<LaterText>()
  const isSupport = side === 'support'
  const label = t(isSupport ? 'Leave the account' : 'End the access')
  return (
    <Banner
      mood={isSupport ? 'warning' : 'brand'}
      action={onEnd === undefined ? undefined : { label, busy, onPress: onEnd }}
    >
      {isSupport
        ? t('You are in the account of {name} as support. The owner sees what you do.', { name })
        : t('{name} of support is in your account now. You find what is done there in the audit log.', { name })}
    </Banner>
  )
}
