import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { NavItem, ShellLink } from '@sightline/kit'
import type { Translate } from '../text.ts'

/** The legal pages that the brand links to. */
export function footerLinksOf(config: RuntimeConfig, t: Translate): readonly ShellLink[] {
  const { privacyPolicy, terms, cookies } = config.theme.links
  return [
    ...(privacyPolicy === undefined ? [] : [{ label: t('Privacy policy'), href: privacyPolicy }]),
    ...(terms === undefined ? [] : [{ label: t('Terms'), href: terms }]),
    { label: t('Cookies'), href: cookies ?? '/cookies' },
  ]
}

/** The left menu: the screens there are (specification §2). */
export const navOf = (pathname: string, t: Translate): readonly NavItem[] => [
  { href: '/details', label: t('Details'), icon: 'user', current: pathname === '/details' },
]
