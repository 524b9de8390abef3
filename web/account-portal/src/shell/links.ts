import type { UserRights } from '@sightline/contract/rights'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { NavItem, ShellLink } from '@sightline/kit'
import type { Text, Translate } from '../text.ts'

/** The legal pages that the brand links to. */
export function footerLinksOf(config: RuntimeConfig, t: Translate): readonly ShellLink[] {
  const { privacyPolicy, terms, cookies } = config.theme.links
  return [
    ...(privacyPolicy === undefined ? [] : [{ label: t('Privacy policy'), href: privacyPolicy }]),
    ...(terms === undefined ? [] : [{ label: t('Terms'), href: terms }]),
    { label: t('Cookies'), href: cookies ?? '/cookies' },
  ]
}

/** The left menu: the screens there are (specification §2); what hangs on a right comes when the rights are known. */
export const navOf = (pathname: string, rights: Partial<UserRights>, t: Translate): readonly NavItem[] => {
  const item = (href: string, label: Text, icon: NavItem['icon']): NavItem => ({
    href,
    label: t(label),
    icon,
    current: pathname === href,
  })
  return [
    item('/details', 'Details', 'user'),
    ...(rights.editCamera === true ? [item('/statusnotification', 'Status notifications', 'bell')] : []),
    item('/tfa', 'Two-factor', 'shield'),
  ]
}
