import type { SharedText } from '@sightline/client'
import { Icon, Menu } from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQueries } from './account-queries.ts'
import { useApplication } from './application.ts'
import { chooseScheme, type SchemeChoice, schemeChoice } from './scheme.ts'
import { useIsNoSupport } from './support/support-session.ts'
import { useTranslation } from './translation.tsx'
import { useLaunch } from './use-launch.ts'

const schemes: readonly { choice: SchemeChoice; label: SharedText; icon: 'sun' | 'moon' | 'monitor' }[] = [
  { choice: 'light', label: 'Light', icon: 'sun' },
  { choice: 'dark', label: 'Dark', icon: 'moon' },
  { choice: 'system', label: 'Use device setting', icon: 'monitor' },
]

const initial = (name: string | undefined): string => [...(name ?? '')][0]?.toLocaleUpperCase() ?? ''

/** The signed-in user, the color scheme, and sign-out. */
export function AccountMenu() {
  const { client, config, name, session } = useApplication()
  const t = useTranslation()
  const user = useQuery(accountQueries(client).user).data
  const [scheme, setScheme] = useState(schemeChoice)
  const launch = useLaunch()
  const webApp = config.theme.links.webapp ?? config.webappURL
  const leadsToWebApp = useIsNoSupport() && name === 'accountPortal'
  const initials = `${initial(user?.firstName)}${initial(user?.lastName)}`
  return (
    <Menu
      label={t('Account menu')}
      trigger={initials === '' ? <Icon name="user" size={18} /> : initials}
      triggerClass="ms-1 inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-primary text-xs font-semibold text-on-primary border border-primary-edge hover:bg-primary-hover pointer-coarse:size-11"
      align="end"
      items={[
        ...(user === undefined
          ? []
          : [
              { kind: 'heading' as const, label: `${user.firstName} ${user.lastName}`, detail: user.email },
              { kind: 'line' as const },
            ]),
        ...schemes.map(({ choice, label, icon }) => ({
          label: t(label),
          icon,
          current: choice === scheme,
          onSelect: () => {
            chooseScheme(choice)
            setScheme(choice)
          },
        })),
        { kind: 'line' },
        ...(leadsToWebApp
          ? [{ label: t('Web App'), icon: 'camera' as const, href: webApp, onFollow: () => void launch(webApp) }]
          : []),
        { label: t('Sign out'), icon: 'logout', onSelect: () => void session.signOut() },
      ]}
    />
  )
}
