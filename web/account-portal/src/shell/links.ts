import type { UserRights } from '@sightline/contract/rights'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { FeatureFlags, UserBase } from '@sightline/contract/users'
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

/** The owner of an account that may manage its subscription itself. */
export const managesSubscription = (
  user: UserBase | undefined,
  flags: Pick<FeatureFlags, 'userSelfServiceManagement'> | undefined,
): boolean => user !== undefined && user.userId === user.accountId && flags?.userSelfServiceManagement === true

interface Known {
  readonly rights: Partial<UserRights>
  /** Whoever is signed in manages the subscription. */
  readonly managesSubscription: boolean
}

/** The left menu: the screens there are (specification §2); what hangs on a right comes when the rights are known. */
export const navOf = (pathname: string, known: Known, t: Translate): readonly NavItem[] => {
  const item = (href: string, label: Text, icon: NavItem['icon']): NavItem => ({
    href,
    label: t(label),
    icon,
    current: pathname === href,
  })
  return [
    item('/details', 'Details', 'user'),
    item('/support', 'Support', 'help'),
    ...(known.managesSubscription ? [item('/subscriptions', 'Subscriptions', 'card')] : []),
    ...(known.rights.editCamera === true ? [item('/statusnotification', 'Status notifications', 'bell')] : []),
    item('/tfa', 'Two-factor', 'shield'),
    item('/sessions', 'Sign-ins', 'monitor'),
    item('/personaldata', 'Personal data', 'download'),
  ]
}
