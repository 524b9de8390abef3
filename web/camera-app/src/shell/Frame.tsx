import { closeCookieBanner, cookieBannerClosed } from '@sightline/client'
import { getUser } from '@sightline/contract/users'
import {
  AppShell,
  CookieBanner,
  chooseScheme,
  Icon,
  Menu,
  type SchemeChoice,
  type ShellApp,
  SnackBars,
  schemeChoice,
} from '@sightline/kit'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApp } from '../app.ts'
import { type Text, useText } from '../text.ts'

const toolClass =
  'inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11'

function LanguageTool() {
  const { languages } = useApp()
  const t = useText()
  return (
    <Menu
      label={t('Language')}
      trigger={<Icon name="globe" />}
      triggerClass={toolClass}
      items={languages.choices.map(({ code, name }) => ({
        label: name,
        current: code === languages.current(),
        onSelect: () => void languages.choose(code),
      }))}
    />
  )
}

const schemes: readonly { choice: SchemeChoice; label: Text; icon: 'sun' | 'moon' | 'monitor' }[] = [
  { choice: 'light', label: 'Light', icon: 'sun' },
  { choice: 'dark', label: 'Dark', icon: 'moon' },
  { choice: 'system', label: 'As the device', icon: 'monitor' },
]

function PersonTool() {
  const { client, session } = useApp()
  const t = useText()
  const [scheme, setScheme] = useState(schemeChoice)
  const user = useQuery({
    queryKey: ['users/self'],
    queryFn: ({ signal }) => client.call(getUser, {}, { signal }),
    staleTime: 60_000,
  }).data
  return (
    <Menu
      label={t('Account menu')}
      trigger={<Icon name="user" />}
      triggerClass={toolClass}
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
        { label: t('Log out'), icon: 'logout', onSelect: () => void session.signOut() },
      ]}
    />
  )
}

function Cookies() {
  const { config } = useApp()
  const t = useText()
  const [closed, setClosed] = useState(() => cookieBannerClosed(document))
  if (closed) return null
  const close = () => {
    closeCookieBanner(document, window.location.protocol === 'https:')
    setClosed(true)
  }
  return (
    <CookieBanner label={t('Cookies')} onClose={close}>
      {t('We use cookies to keep you signed in.')}{' '}
      <a href={config.theme.links.cookies ?? '/cookies'} className="text-link-underline">
        {t('Learn more')}
      </a>
    </CookieBanner>
  )
}

/** Header and room for a screen; cameras want the whole window. */
export function Frame() {
  const { config, snackBar } = useApp()
  const t = useText()
  const router = useRouter()
  const { links } = config.theme
  const other = (name: Text, href: string, icon: ShellApp['icon']) => ({ name: t(name), href, icon, current: false })
  const apps: readonly ShellApp[] = [
    { name: t('Web App'), href: '/app/', icon: 'camera', current: true },
    ...(links.showDownloadPortal
      ? [other('Download Portal', links.downloadportal ?? config.downloadportalURL, 'download')]
      : []),
    other('My Account', links.myaccount ?? config.myaccountURL, 'user'),
    ...(links.showdealerdashboard
      ? [other('Dealer Dashboard', links.dealerdashboard ?? config.dealerURL, 'grid')]
      : []),
  ]
  return (
    <>
      <AppShell
        wide
        brand={config.theme}
        home="/app/"
        apps={apps}
        onNavigate={(href) => void router.navigate({ href: href.replace(/^\/app/, '') })}
        tools={
          <>
            <LanguageTool />
            <PersonTool />
          </>
        }
      >
        <Outlet />
      </AppShell>
      <Cookies />
      <SnackBars bar={snackBar} />
    </>
  )
}
