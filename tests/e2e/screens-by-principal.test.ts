// One table: what each kind of user sees on each screen of the Web App. Kept in one file because it is a catalog.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, type TestPage } from '../browser.ts'
import { soon } from '../screens.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const screenNames = [
  'cameras',
  'camera',
  'recorders',
  'zones',
  'zone',
  'users',
  'details',
  'rights',
  'access',
  'why',
  'profiles',
  'profile',
  'auditLog',
  'cameraLog',
  'cameraSettings',
  'storage',
  'reports',
  'apiKeys',
] as const
type ScreenName = (typeof screenNames)[number]

/** The buttons of a screen that depend on the user's rights. */
const buttons: Readonly<Record<ScreenName, readonly string[]>> = {
  cameras: [],
  camera: ['10 seconds back'],
  recorders: [],
  zones: ['Add zone'],
  zone: ['Delete zone', 'Save changes'],
  users: ['Add user'],
  details: ['Save changes', 'Send password reset link'],
  rights: ['Grant all rights to this user'],
  access: [],
  why: [],
  profiles: ['Add profile'],
  profile: [],
  auditLog: ['Export'],
  cameraLog: [],
  cameraSettings: ['Save changes'],
  storage: [],
  reports: ['New report'],
  apiKeys: ['Create API key'],
}

/** A text that the screen shows to the user, and which of its buttons; all of them by default. */
interface Found {
  readonly text: string | RegExp
  readonly offers?: readonly string[]
}
type FoundOn = Readonly<Record<ScreenName, Found>>

const toOwner: FoundOn = {
  cameras: { text: 'Car park' },
  camera: { text: 'Car park' },
  recorders: { text: 'No recorders yet' },
  zones: { text: 'Outside' },
  zone: { text: 'Car park' },
  users: { text: 'Gabriel Guard' },
  details: { text: 'Sign-in and account' },
  rights: { text: /of 43 rights are on/ },
  access: { text: 'Includes cameras added later.' },
  why: { text: 'Camera access' },
  profiles: { text: 'Built-in' },
  profile: { text: /^You can't change a built-in profile/ },
  auditLog: { text: /^Each sealed entry is numbered/ },
  cameraLog: { text: 'Connected' },
  cameraSettings: { text: /^Your subscription allows up to/ },
  storage: { text: 'Storage used' },
  reports: { text: 'No reports yet' },
  apiKeys: { text: 'No API keys yet' },
}

const nothing: readonly string[] = []
const seesNoUsers: Found = { text: "You can't view users", offers: nothing }
const toGuard: FoundOn = {
  ...toOwner,
  zones: { text: 'Outside', offers: nothing },
  zone: { text: "You can view this zone, but you don't have the “Edit zones” right.", offers: nothing },
  users: seesNoUsers,
  details: seesNoUsers,
  rights: seesNoUsers,
  access: seesNoUsers,
  why: seesNoUsers,
  profiles: seesNoUsers,
  profile: seesNoUsers,
  auditLog: { text: "You can't view the audit log", offers: nothing },
  cameraLog: { text: "You can't view camera logs" },
  cameraSettings: { text: "You can't change this camera's settings", offers: nothing },
  storage: { text: "You can't view storage usage" },
  reports: { text: 'If you need a report, ask the account owner.', offers: nothing },
  apiKeys: { text: 'If a program needs an API key, ask the account owner to create one.', offers: nothing },
}

/** What a user who can view users sees: everything, with one sentence that says why nothing can be changed. */
const reading = (why: string | RegExp, profiles: string | RegExp): FoundOn => {
  const fixed: Found = { text: why, offers: nothing }
  return {
    ...toGuard,
    users: { text: 'Gabriel Guard', offers: nothing },
    details: fixed,
    rights: fixed,
    access: fixed,
    why: toOwner.why,
    profiles: { text: profiles, offers: nothing },
    profile: { text: profiles, offers: nothing },
    auditLog: toOwner.auditLog,
  }
}
const noPlayback: Found = { text: /^You don’t have permission to watch footage/, offers: nothing }
const toViewer: FoundOn = {
  ...reading(/^You can view users but not change them/, 'Only the account owner can change profiles.'),
  camera: noPlayback,
}
const toDemoUser: FoundOn = { ...reading(/^This is a demo/, /^This is a demo/), camera: noPlayback }
const IN_SUPPORT = "You can view users and their rights during a support session, but you can't change them."
const toSupport: FoundOn = {
  ...reading(IN_SUPPORT, IN_SUPPORT),
  zones: toOwner.zones,
  zone: toOwner.zone,
  auditLog: { ...toOwner.auditLog, offers: nothing },
  cameraLog: toOwner.cameraLog,
  cameraSettings: toOwner.cameraSettings,
  storage: toOwner.storage,
  reports: { text: "You can't view or create reports during a support session.", offers: nothing },
  apiKeys: { text: "You can't view or change API keys during a support session.", offers: nothing },
}
const toSupportWithoutVideo: FoundOn = {
  ...toSupport,
  camera: { text: 'The account owner has hidden video from support.', offers: nothing },
}

const all = [
  'Cameras',
  'Multiview',
  'Recorders',
  'Zones',
  'Users',
  'Permission profiles',
  'Audit log',
  'Storage',
  'Reports',
  'API keys',
]
const ofSettings = all.slice(0, 7)
const ofSupport = all.slice(0, 8)

describe.skipIf(chromiumPath === undefined)('the Web App in Chromium shows', () => {
  let app: RunningWebApp
  let paths: Readonly<Record<ScreenName, string>>
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    await addUser(app, 'viewer@demo.example', { allCameras: true, rights: { viewUserSettings: true } })
    const rights = { viewUserSettings: true, demoUser: true }
    await addUser(app, 'visitor@demo.example', { allCameras: true, rights })
    paths = await addresses()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function addresses(): Promise<Readonly<Record<ScreenName, string>>> {
    const people = await app.ask<{ userId: number; firstName: string }[]>('GET users')
    const zones = await app.ask<{ zoneId: number; name: string; cameraIds: number[] }[]>('GET zones')
    const profiles = await app.ask<{ permissionProfileId: number; builtin: boolean }[]>('GET permissionProfiles')
    const guard = `/users/${people.find(({ firstName }) => firstName === 'Gabriel')?.userId}`
    const outside = zones.find(({ name }) => name === 'Outside')
    return {
      cameras: '/',
      camera: `/cameras/${outside?.cameraIds[0]}`,
      recorders: '/recorders',
      zones: '/zones',
      zone: `/zones/${outside?.zoneId}`,
      users: '/users',
      details: `${guard}/details`,
      rights: `${guard}/rights`,
      access: `${guard}/cameras`,
      why: `${guard}/why`,
      profiles: '/profiles',
      profile: `/profiles/${profiles.find(({ builtin }) => builtin)?.permissionProfileId}`,
      auditLog: '/audit-log',
      cameraLog: `/cameras/${outside?.cameraIds[0]}/logs`,
      cameraSettings: `/cameras/${outside?.cameraIds[0]}/settings`,
      storage: '/storage',
      reports: '/reports',
      apiKeys: '/api-keys',
    }
  }

  const openSupport = async (video: 'shown' | 'hidden'): Promise<TestPage> => {
    const tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, await beginSupport(app, { video }))
    await tab.page.goto(`${app.product.origin}/app/`)
    return tab
  }

  const offered = async (page: Page, name: ScreenName): Promise<readonly string[]> => {
    const shown = await Promise.all(
      buttons[name].map((button) => page.getByRole('button', { name: button, exact: true }).count()),
    )
    return buttons[name].filter((_, index) => shown[index] !== 0)
  }

  test.each([
    { who: 'the owner', open: () => app.open('/'), menu: all, found: toOwner },
    {
      who: 'a sub-user without rights to settings',
      open: () => app.open('/', 'guard@demo.example'),
      menu: all.slice(0, 4),
      found: toGuard,
    },
    {
      who: 'a sub-user who sees users',
      open: () => app.open('/', 'viewer@demo.example'),
      menu: ofSettings,
      found: toViewer,
    },
    { who: 'a demo user', open: () => app.open('/', 'visitor@demo.example'), menu: ofSettings, found: toDemoUser },
    { who: 'support with video', open: () => openSupport('shown'), menu: ofSupport, found: toSupport },
    {
      who: 'support without video',
      open: () => openSupport('hidden'),
      menu: ofSupport.filter((name) => name !== 'Multiview'),
      found: toSupportWithoutVideo,
    },
  ])('$who each screen with only the actions they have rights for', async ({ open, menu, found }) => {
    await using tab = await open()
    const { page } = tab
    const entries = page.getByRole('navigation', { name: 'Menu' }).first().getByRole('link')
    await expect.poll(() => entries.allTextContents(), soon).toEqual(menu)
    for (const name of screenNames) {
      const { text, offers = buttons[name] } = found[name]
      // Navigates like a link within the application, which is faster than a page load.
      await page.evaluate((path) => window.history.pushState(null, '', `/app${path}`), paths[name])
      const place = page.getByRole('main').getByText(text).first()
      await place.waitFor().catch((cause) => {
        throw new Error(`the screen ${name} does not say ${text}`, { cause })
      })
      await expect.poll(() => offered(page, name), { ...soon, message: name }).toEqual(offers)
    }
    expect(tab.complaints).toEqual([])
  })
})
