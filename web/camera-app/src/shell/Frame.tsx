import { streamRules } from '@sightline/contract/streams'
import { buttonClass, EmptyState, type NavItem } from '@sightline/kit'
import {
  AgreementFirst,
  accountQueries,
  KeptSideMenu,
  SignedInFrame,
  useApplication,
  useMay,
  useServerStates,
} from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useText } from '../text.ts'
import { isActive, visibleNavItems } from './nav-items.ts'

/** The nav items for the signed-in user. Items that depend on a call appear when the rights are known. */
function useNav(): readonly NavItem[] {
  const t = useText()
  const may = useMay()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  return visibleNavItems(may).map((place) => ({
    href: `/app${place.path === '' ? '/' : place.path}`,
    label: t(place.label),
    icon: place.icon,
    current: isActive(place, pathname),
  }))
}

/** Shown instead of the app if the account has blocked the Web App for sub-users (decision 25). */
function Barred() {
  const { config } = useApplication()
  const t = useText()
  return (
    <EmptyState
      icon="block"
      isPage
      title={t('Contact the account owner')}
      action={
        <a href={config.myaccountURL} className={buttonClass('primary')}>
          {t('Go to My Account')}
        </a>
      }
    >
      {t('Web App access is turned off for other users of this account. You can still use My Account.')}
    </EmptyState>
  )
}

// The first screen doesn't wait for this.
const ExportsTray = lazy(() => import('../exports/index.ts').then((module) => ({ default: module.ExportsTray })))

/** The button of the exports, for those who may export footage. */
function LazyExportsTray() {
  return useMay()(streamRules.mp4) === true ? (
    <Suspense fallback={null}>
      <ExportsTray />
    </Suspense>
  ) : null
}

const loadFollowing = () => import('../event-states/index.ts').then(({ followEvents }) => followEvents)

/** Header, menu and content area; cameras use the whole window. */
export function Frame() {
  const router = useRouter()
  const { client } = useApplication()
  useServerStates(loadFollowing)
  const isBarred = useQuery(accountQueries(client).flags).data?.webAppBarred === true
  const whole = useNav()
  const nav = isBarred ? [] : whole
  return (
    <SignedInFrame
      wide
      nav={nav}
      sideMenu={<KeptSideMenu items={nav} />}
      tools={isBarred ? null : <LazyExportsTray />}
      onNavigate={(href) => void router.navigate({ href: href.replace(/^\/app/, '') })}
    >
      <AgreementFirst>{isBarred ? <Barred /> : <Outlet />}</AgreementFirst>
    </SignedInFrame>
  )
}
