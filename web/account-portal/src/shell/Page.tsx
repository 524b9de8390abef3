import { SnackBars } from '@sightline/kit'
import {
  accountQueries,
  LazyAgreementDialog,
  PublicFrame,
  SignedInFrame,
  useAgreementOwed,
  useApplication,
  useLanguageOfUser,
} from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { raiseInvalidToken } from '../embedding.ts'
import { useText } from '../text.ts'
import { footerLinksOf, managesSubscription, navOf } from './links.ts'
import { NotSignedIn } from './NotSignedIn.tsx'

const StatisticsQuestion = lazy(() =>
  import('../foreign-scripts/index.ts').then((module) => ({ default: module.StatisticsQuestion })),
)

const statisticsQuestion = (onAnswer: () => void) => (
  <Suspense fallback={null}>
    <StatisticsQuestion onAnswer={onAnswer} />
  </Suspense>
)

/** What every page with a frame has in common. */
function useFrame() {
  const { config } = useApplication()
  const t = useText()
  const router = useRouter()
  return {
    footerLinks: footerLinksOf(config, t),
    cookieQuestion: config['tag-manager'].enabled ? statisticsQuestion : undefined,
    onNavigate: (href: string) => void router.navigate({ href }),
  }
}

/** The frame of the settings area: header, left menu, content, footer. */
export function SettingsPage() {
  const t = useText()
  const { client } = useApplication()
  const { rights: asked, user, flags } = accountQueries(client)
  const { data: rights = {} } = useQuery(asked)
  const known = { rights, managesSubscription: managesSubscription(useQuery(user).data, useQuery(flags).data) }
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return (
    <SignedInFrame nav={navOf(pathname, known, t)} {...useFrame()}>
      <Outlet />
    </SignedInFrame>
  )
}

/** The frame of pages that need no sign-in. */
export function PublicPage() {
  return (
    <PublicFrame {...useFrame()}>
      <Outlet />
    </PublicFrame>
  )
}

function EmbeddedScreen() {
  useLanguageOfUser()
  return useAgreementOwed() ? <LazyAgreementDialog /> : <Outlet />
}

/** No frame at all: the page is shown inside another application (decision 24). */
export function EmbeddedPage() {
  const { snackBar, session } = useApplication()
  // It may end while the page is shown.
  const token = useSyncExternalStore(
    (changed) => session.onEnd(changed),
    () => session.token(),
  )
  const signedIn = token !== undefined
  useEffect(() => {
    if (!signedIn) raiseInvalidToken()
  }, [signedIn])
  return (
    <>
      <main className="mx-auto max-w-3xl p-4">{signedIn ? <EmbeddedScreen /> : <NotSignedIn />}</main>
      <SnackBars bar={snackBar} />
    </>
  )
}
