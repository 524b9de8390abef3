import { closeCookieBanner, cookieBannerClosed } from '@sightline/client'
import { AppShell, type AppShellProps, CookieBanner, SnackBars } from '@sightline/kit'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { usePortal } from '../portal.ts'
import { raiseInvalidToken } from '../session-end.ts'
import { useText } from '../text.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { appsOf, footerLinksOf, navOf } from './brand-links.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { NotSignedIn } from './NotSignedIn.tsx'

function Cookies() {
  const [closed, setClosed] = useState(() => cookieBannerClosed(document))
  const t = useText()
  const router = useRouter()
  if (closed) return null
  const close = () => {
    closeCookieBanner(document, window.location.protocol === 'https:')
    setClosed(true)
  }
  return (
    <CookieBanner label={t('Cookies')} onClose={close}>
      {t('We use cookies to keep you signed in.')}{' '}
      <a
        href="/cookies"
        className="text-link-underline"
        onClick={(event) => {
          event.preventDefault()
          void router.navigate({ href: '/cookies' })
        }}
      >
        {t('Learn more')}
      </a>
    </CookieBanner>
  )
}

function Around({ children, ...shell }: Pick<AppShellProps, 'nav' | 'tools'> & { children: ReactNode }) {
  const { config, snackBar } = usePortal()
  const t = useText()
  const router = useRouter()
  return (
    <>
      <AppShell
        brand={config.theme}
        home="/"
        apps={appsOf(config, t)}
        footerLinks={footerLinksOf(config, t)}
        onNavigate={(href) => void router.navigate({ href })}
        {...shell}
      >
        {children}
      </AppShell>
      <Cookies />
      <SnackBars bar={snackBar} />
    </>
  )
}

/** The frame of the settings area: header, left menu, content, footer. */
export function SettingsPage() {
  const t = useText()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return (
    <Around
      nav={navOf(pathname, t)}
      tools={
        <>
          <LanguageMenu signedIn />
          <AccountMenu />
        </>
      }
    >
      <Outlet />
    </Around>
  )
}

/** The frame of pages that need no sign-in. */
export function PublicPage() {
  return (
    <Around tools={<LanguageMenu signedIn={false} />}>
      <Outlet />
    </Around>
  )
}

/** No frame at all: the page is shown inside another application (decision 24). */
export function EmbeddedPage() {
  const { snackBar, session } = usePortal()
  const signedIn = session.token() !== undefined
  useEffect(() => {
    if (!signedIn) raiseInvalidToken()
  }, [signedIn])
  return (
    <>
      <main className="mx-auto max-w-3xl p-4">{signedIn ? <Outlet /> : <NotSignedIn />}</main>
      <SnackBars bar={snackBar} />
    </>
  )
}
