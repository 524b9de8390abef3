import { PublicFrame, SignedInFrame, useApplication, useOwnMember, useServerStates } from '@sightline/shell'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useText } from '../text.ts'
import { AccountFirst, useTold } from './AccountFirst.tsx'
import { footerLinks, navItems } from './links.ts'

const StatisticsQuestion = lazy(() =>
  import('../third-party-scripts/index.ts').then((module) => ({ default: module.StatisticsQuestion })),
)

const statisticsQuestion = (onAnswer: () => void) => (
  <Suspense fallback={null}>
    <StatisticsQuestion onAnswer={onAnswer} />
  </Suspense>
)

/** The common parts of all pages with a frame. */
function useFrame() {
  const { config } = useApplication()
  const t = useText()
  const router = useRouter()
  return {
    footerLinks: footerLinks(config, t),
    cookieQuestion: config['tag-manager'].enabled ? statisticsQuestion : undefined,
    onNavigate: (href: string) => void router.navigate({ href }),
  }
}

/** The current screen, not the one that navigation is still loading. */
export function OneScreen() {
  const path = useRouterState({ select: (state): string => state.matches.at(-1)?.fullPath ?? '' })
  return (
    <AccountFirst key={path} path={path}>
      <Outlet />
    </AccountFirst>
  )
}

const loadFollowing = () => import('@sightline/shell/follow-support').then(({ followSupport }) => followSupport)

/** The frame of the settings area: header, left menu, content, footer. */
export function SettingsPage() {
  const t = useText()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  useServerStates(loadFollowing, useOwnMember().data?.isSuperUser === true)
  return (
    <SignedInFrame nav={navItems(pathname, useTold(), t)} {...useFrame()}>
      <OneScreen />
    </SignedInFrame>
  )
}

/** The frame of public pages. */
export function PublicPage() {
  return (
    <PublicFrame {...useFrame()}>
      <Outlet />
    </PublicFrame>
  )
}
