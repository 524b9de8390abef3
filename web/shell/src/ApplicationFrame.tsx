import { cookieBannerClosed } from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { AppShell, type AppShellProps, SnackBars } from '@sightline/kit'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { AccountMenu } from './AccountMenu.tsx'
import { useApplication } from './application.ts'
import { availableApplications } from './brand-applications.ts'
import { ConnectionLost } from './ConnectionLost.tsx'
import type { CookieNoticeProps } from './CookieNotice.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { useLanguageOfUser } from './language-of-user.ts'
import { importCookieNotice, paintedNotice } from './painted-notice.ts'
import { useSupportSession } from './support/support-session.ts'
import { useTranslation } from './translation.tsx'
import { useLaunch } from './use-launch.ts'

const CookieNotice = lazy(() => importCookieNotice().then((module) => ({ default: module.CookieNotice })))

/** The notice appears after the first screen, unless a first paint already shows it or the user has closed it. */
function LazyCookieNotice(props: CookieNoticeProps) {
  const [isElsewhere] = useState(() => cookieBannerClosed(document) || paintedNotice() !== null)
  if (isElsewhere) return null
  return (
    <Suspense>
      <CookieNotice {...props} />
    </Suspense>
  )
}

// The first screen doesn't wait for this.
const AccountNotices = lazy(() => import('./AccountNotices.tsx').then((module) => ({ default: module.AccountNotices })))

const LazyAccountNotices = () => (
  <Suspense fallback={null}>
    <AccountNotices />
  </Suspense>
)

type Around = Pick<AppShellProps, 'nav' | 'sideMenu' | 'footerLinks' | 'wide' | 'onNavigate' | 'banner' | 'tools'> & {
  cookieQuestion?: CookieNoticeProps['question']
  children: ReactNode
}

function Frame({ tools, banner, cookieQuestion, children, ...shell }: Around) {
  const { config, name, home, snackBar } = useApplication()
  const t = useTranslation()
  const isSupport = useSupportSession() !== undefined
  const launch = useLaunch()
  return (
    <>
      <AppShell
        brand={config.theme}
        home={home}
        apps={availableApplications({ config, current: name, isSupport }, t)}
        onLaunch={(href) => void launch(href)}
        tools={tools}
        banner={
          <>
            {banner}
            <ConnectionLost />
          </>
        }
        {...shell}
      >
        {children}
      </AppShell>
      <LazyCookieNotice onNavigate={shell.onNavigate} isWide={shell.wide} question={cookieQuestion} />
      <SnackBars bar={snackBar} />
    </>
  )
}

/** Header, menu, notices and messages around the screens of a signed-in user. `tools` of the application come before ours. */
export function SignedInFrame(around: Around) {
  useLanguageOfUser()
  const { name } = useApplication()
  const ofMembers = firstPartyClients[name].serves === 'members'
  const tools = (
    <>
      {around.tools}
      <LanguageMenu signedIn={ofMembers} />
      <AccountMenu />
    </>
  )
  const banner = (
    <>
      {ofMembers ? <LazyAccountNotices /> : null}
      {around.banner}
    </>
  )
  return <Frame {...around} tools={tools} banner={banner} />
}

/** The same around public pages. */
export function PublicFrame(around: Around) {
  return <Frame {...around} tools={<LanguageMenu signedIn={false} />} />
}
