import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { NavItem, ShellApp, ShellLink } from '@sightline/kit'
import type { Translate } from '../text.ts'

/** The applications of the brand; two of them only where it allows them (specification §1). */
export function appsOf(config: RuntimeConfig, t: Translate): readonly ShellApp[] {
  const { links } = config.theme
  const other = (name: string, href: string, icon: ShellApp['icon']): ShellApp => ({ name, href, icon, current: false })
  return [
    other(t('Web App'), links.webapp ?? config.webappURL, 'camera'),
    ...(links.showDownloadPortal
      ? [other(t('Download Portal'), links.downloadportal ?? config.downloadportalURL, 'download')]
      : []),
    { name: t('My Account'), href: '/', icon: 'user', current: true },
    ...(links.showdealerdashboard
      ? [other(t('Dealer Dashboard'), links.dealerdashboard ?? config.dealerURL, 'grid')]
      : []),
  ]
}

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
