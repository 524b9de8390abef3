import type { Page } from 'playwright-core'
import { quietNetwork } from './browser.ts'
import type { RunningProduct } from './running-product.ts'
import { callApi, fetchToken, openUserPage, staffClient } from './signed-in.ts'

/** A screen of the product by its address. */
export interface ScreenAddress {
  readonly name: string
  readonly path: string
  /** The user who opens it; a screen without one needs no sign-in. */
  readonly email?: string
}

const OWNER = 'owner@demo.example'
const ADMINISTRATOR = 'admin@demo.example'

const byPath = (email: string, paths: readonly string[]): readonly ScreenAddress[] =>
  paths.map((path) => ({ name: path.replaceAll(/\d+/g, '…'), path, email }))

const accountPaths = ['details', 'support', 'subscriptions', 'statusnotification', 'tfa', 'sessions', 'personaldata']

/** Every page that needs no sign-in. */
export const openPages: readonly ScreenAddress[] = [
  { name: 'sign-in', path: '/' },
  { name: 'forgotten password', path: '/sign-in/forgot' },
  { name: 'a link that is too old', path: `/sign-in/password/${'A'.repeat(43)}` },
  { name: 'cookies', path: '/cookies' },
  { name: 'terms', path: '/terms' },
  { name: 'signed out', path: '/logout' },
]

/** Every screen of My Account and the Web App, as the owner of the demonstration's account opens them. */
export async function memberScreens({ origin }: RunningProduct): Promise<readonly ScreenAddress[]> {
  const token = await fetchToken(origin, OWNER)
  const ask = async <T>(path: string) => (await callApi<T>(origin, token, `GET ${path}`)).body
  const guard = (await ask<{ userId: number; firstName: string }[]>('users')).find((one) => one.firstName === 'Gabriel')
  const zone = (await ask<{ zoneId: number; cameraIds: number[] }[]>('zones')).find((one) => one.cameraIds.length > 0)
  const profile = (await ask<{ permissionProfileId: number }[]>('permissionProfiles'))[0]
  if (guard === undefined || zone === undefined || profile === undefined) throw new Error('not the demonstration')
  const user = `/app/users/${guard.userId}`
  const camera = `/app/cameras/${zone.cameraIds[0]}`
  return [
    ...byPath(
      OWNER,
      accountPaths.map((path) => `/${path}`),
    ),
    ...byPath(OWNER, [
      '/settings/details',
      '/app/',
      '/app/cameras/add',
      '/app/cameras/add/several',
      camera,
      `${camera}/logs`,
      `${camera}/settings/recording`,
      `${camera}/settings/detections`,
      `${camera}/settings/areas`,
      `${camera}/settings/schedule`,
      ...['general', 'video', 'network', 'sound', 'io', 'info', 'check-up', 'firmware', 'storage', 'replacement'].map(
        (tab) => `${camera}/settings/${tab}`,
      ),
      '/app/transfers',
      '/app/body-cameras/add',
      '/app/recorders',
      '/app/recorders/add',
      '/app/zones',
      `/app/zones/${zone.zoneId}`,
    ]),
    ...byPath(OWNER, ['/app/users', `${user}/details`, `${user}/rights`, `${user}/cameras`, `${user}/why`]),
    ...byPath(OWNER, [
      '/app/profiles',
      `/app/profiles/${profile.permissionProfileId}`,
      '/app/audit-log',
      '/app/storage',
    ]),
    ...byPath(OWNER, ['/app/reports', '/app/api-keys', '/app/no-such-page']),
  ]
}

/** Every screen of the Dealer Dashboard, as an administrator of the provider opens them. */
export async function dealerScreens({ origin }: RunningProduct): Promise<readonly ScreenAddress[]> {
  const token = await fetchToken(origin, ADMINISTRATOR, undefined, staffClient)
  const ask = async <T>(path: string) => (await callApi<T>(origin, token, `GET ${path}`)).body
  const administrator = (await ask<{ userId: number }[]>('provider/users'))[0]
  const distributors = await ask<{ distributorId: number }[]>('distributors')
  for (const { distributorId } of distributors) {
    for (const { resellerId } of await ask<{ resellerId: number }[]>(`distributors/${distributorId}/resellers`)) {
      const account = (await ask<{ accountId: number; name: string }[]>(`resellers/${resellerId}/accounts`)).find(
        ({ name }) => name === 'Corner Shop',
      )
      const staff = (await ask<{ userId: number }[]>(`resellers/${resellerId}/users`))[0]
      if (account === undefined || staff === undefined) continue
      const distributor = `/dealer/distributors/${distributorId}`
      const reseller = `/dealer/resellers/${resellerId}`
      const pages = [
        'accounts',
        'insights',
        'reports',
        'api-keys',
        'packages',
        'firmware',
        'brand',
        'staff',
        'audit-log',
        'settings',
      ]
      return byPath(ADMINISTRATOR, [
        ...['/dealer/distributors', '/dealer/administrators', `/dealer/administrators/${administrator?.userId}`],
        ...['/dealer/jobs', `${distributor}/resellers`, `${distributor}/staff`, `${distributor}/settings`],
        ...pages.map((page) => `${reseller}/${page}`),
        ...[`${reseller}/accounts/${account.accountId}`, `${reseller}/staff/${staff.userId}`],
      ])
    }
  }
  throw new Error('not the demonstration')
}

/** Waits until the screen has loaded completely. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => {
    const loading = [...document.querySelectorAll('[role=status], [aria-busy=true]')]
    return !loading.some((one) => one.ariaBusy === 'true' || one.querySelector('[aria-hidden=true].animate-shimmer'))
  })
  await quietNetwork(page)
}

/** Opens a screen and waits until it has loaded. */
export async function openScreen(page: Page, origin: string, { path, email }: ScreenAddress): Promise<void> {
  if (email === undefined) await page.goto(`${origin}${path}`)
  else await openUserPage(page, `${origin}${path}`, email)
  await settle(page)
}
