import type { UserRights } from '@sightline/contract/rights'
import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import type { FeatureFlags, UserBase } from '@sightline/contract/users'
import type { NavItem, ShellLink } from '@sightline/kit'
import type { Text, Translate } from '../text.ts'

/** The legal pages that the brand links to. */
export function footerLinks(config: RuntimeConfig, t: Translate): readonly ShellLink[] {
  const { privacyPolicy, terms, cookies } = config.theme.links
  return [
    ...(privacyPolicy === undefined ? [] : [{ label: t('Privacy policy'), href: privacyPolicy }]),
    ...(terms === undefined ? [] : [{ label: t('Terms'), href: terms }]),
    { label: t('Cookies'), href: cookies ?? '/cookies' },
  ]
}

/** The user's data that decides which screens are available; empty at first. */
interface Known {
  readonly user: UserBase | undefined
  readonly rights: Partial<UserRights> | undefined
  readonly flags: Pick<FeatureFlags, 'userSelfServiceManagement'> | undefined
}

interface ScreenLink {
  readonly href: string
  readonly label: Text
  readonly icon: NavItem['icon']
  /** Not available to everyone. */
  readonly needs?: (known: Known) => boolean
}

/** The screens in the order of the left menu (specification §2). */
const screens: readonly ScreenLink[] = [
  { href: '/details', label: 'Details', icon: 'user' },
  { href: '/support', label: 'Support', icon: 'help' },
  {
    href: '/subscriptions',
    label: 'Subscriptions',
    icon: 'card',
    needs: ({ user, flags }) =>
      user !== undefined && user.userId === user.accountId && flags?.userSelfServiceManagement === true,
  },
  {
    href: '/statusnotification',
    label: 'Status notifications',
    icon: 'bell',
    needs: ({ rights }) => rights?.editCamera === true,
  },
  { href: '/tfa', label: 'Two-factor', icon: 'shield' },
  { href: '/sessions', label: 'Sign-ins', icon: 'monitor' },
  { href: '/personaldata', label: 'Personal data', icon: 'download' },
]

const isFound = ({ needs }: ScreenLink, known: Known): boolean => needs === undefined || needs(known)

/** Whether the user may not open the screen at a path, embedded or not. */
export const isClosed = (path: string, known: Known): boolean =>
  screens.some((screen) => path.endsWith(screen.href) && !isFound(screen, known))

/** The left menu. Items that depend on a right appear when the rights are known. */
export const navItems = (pathname: string, known: Known, t: Translate): readonly NavItem[] =>
  screens
    .filter((screen) => isFound(screen, known))
    .map(({ href, label, icon }) => ({ href, label: t(label), icon, current: pathname === href }))
