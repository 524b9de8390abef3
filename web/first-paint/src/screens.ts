import type { FirstPaint } from '@sightline/contract/first-paint'

/** What a screen shows before its data is known. Texts are English and keys of the application's catalogs. */
export interface PaintedScreen {
  /** Below the application's root. `*` is one segment: the id of an object. */
  readonly path: string
  /** Undefined if it depends on the object or the user. */
  readonly title?: string
  readonly description?: string
  /** The label of the link to the list that contains the object. */
  readonly back?: string
  readonly body: 'form' | 'table' | 'tiles' | 'camera'
}

/**
 * The screens of each application; the browser test of the first paint compares their texts with the screens. A text
 * that depends on the user's rights isn't here, because the edge doesn't know the user.
 */
export const screens: Readonly<Record<FirstPaint['app'], readonly PaintedScreen[]>> = {
  accountPortal: [
    {
      path: '/details',
      title: 'Details',
      description: 'Manage your personal details, email address and password.',
      body: 'form',
    },
    {
      path: '/support',
      title: 'Support',
      description: 'Give support access to your account when you need help, and see what they did.',
      body: 'form',
    },
    {
      path: '/subscriptions',
      title: 'Subscriptions',
      description: 'Your current subscription, when it ends and what happens next.',
      body: 'form',
    },
    {
      path: '/statusnotification',
      title: 'Status notifications',
      description: 'Get notified when something happens to your cameras.',
      body: 'form',
    },
    {
      path: '/tfa',
      title: 'Two-factor',
      description: 'Two-factor authentication protects your account even if someone knows your password.',
      body: 'form',
    },
    {
      path: '/sessions',
      title: 'Sign-ins',
      description: "See where you're signed in, and sign out other devices.",
      body: 'form',
    },
    {
      path: '/personaldata',
      title: 'Personal data',
      description: 'Download or delete the data we hold about you.',
      body: 'form',
    },
  ],
  cameraApp: [
    { path: '/', title: 'Cameras', body: 'tiles' },
    {
      path: '/cameras/add',
      back: 'All cameras',
      title: 'Add camera',
      description:
        'Add a camera on your network by its IP address or MAC address. Recording starts as soon as it is connected.',
      body: 'form',
    },
    {
      path: '/cameras/add/several',
      back: 'Add camera',
      title: 'Add several cameras',
      description: 'Find cameras in your network, import a list, or enter their addresses.',
      body: 'form',
    },
    { path: '/cameras/*', body: 'camera' },
    {
      path: '/zones',
      title: 'Zones',
      description: 'Group your cameras by location. Detection and recording settings apply to the whole zone.',
      body: 'table',
    },
    { path: '/zones/*', back: 'All zones', body: 'form' },
    {
      path: '/users',
      title: 'Users',
      description: 'People who can use this account, and what each of them can see and do.',
      body: 'table',
    },
    { path: '/users/*', back: 'All users', body: 'form' },
    { path: '/users/*/*', back: 'All users', body: 'form' },
    {
      path: '/profiles',
      title: 'Permission profiles',
      description: 'A profile is a set of rights that you can give to several users.',
      body: 'table',
    },
    { path: '/profiles/*', back: 'All profiles', body: 'form' },
    {
      path: '/audit-log',
      title: 'Audit log',
      description: "See who did what in this account, and when. Entries can't be changed.",
      body: 'table',
    },
    {
      path: '/api-keys',
      title: 'API keys',
      description: 'API keys let other programs act as you, with your rights.',
      body: 'table',
    },
    {
      path: '/storage',
      title: 'Storage',
      description: 'See how much storage your recordings use, and how many cameras and users you have.',
      body: 'table',
    },
    {
      path: '/reports',
      title: 'Reports',
      description: 'See daily camera uptime, storage and user activity.',
      body: 'table',
    },
    { path: '/reports/*', back: 'All reports', title: 'Report', body: 'form' },
  ],
  dealerDashboard: [
    { path: '/distributors', title: 'Distributors', description: 'Distributors manage resellers.', body: 'table' },
    {
      path: '/administrators',
      title: 'Administrators',
      description: 'The people in this organization and their permissions.',
      body: 'table',
    },
    {
      path: '/jobs',
      title: 'Jobs',
      description: 'Emails, notifications, reports and deletions that run in the background.',
      body: 'table',
    },
    // Staff above the reseller or distributor get its name and tabs above these.
    {
      path: '/resellers/*/accounts',
      title: 'Accounts',
      description: 'The customer accounts you manage.',
      body: 'table',
    },
    {
      path: '/resellers/*/insights',
      title: 'Insights',
      description: 'Statistics for the accounts you have access to.',
      body: 'table',
    },
    {
      path: '/resellers/*/reports',
      title: 'Reports',
      description: "See each account's package and cameras per day. Reports are kept for 7 days.",
      body: 'table',
    },
    { path: '/resellers/*/api-keys', title: 'API keys', body: 'table' },
    { path: '/resellers/*/packages', title: 'Packages', body: 'table' },
    {
      path: '/resellers/*/brand',
      title: 'Brand',
      description: 'The logo, colors, domains and links that customers see.',
      body: 'table',
    },
    {
      path: '/resellers/*/staff',
      title: 'Staff',
      description: 'The people in this organization and their permissions.',
      body: 'table',
    },
    { path: '/resellers/*/audit-log', title: 'Audit log', description: 'What staff did and when.', body: 'table' },
    { path: '/resellers/*/accounts/*', back: 'All accounts', body: 'form' },
    { path: '/resellers/*/staff/*', back: 'All staff', body: 'form' },
    {
      path: '/distributors/*/resellers',
      title: 'Resellers',
      description: 'Resellers sell the service under their own brand.',
      body: 'table',
    },
    {
      path: '/distributors/*/staff',
      title: 'Staff',
      description: 'The people in this organization and their permissions.',
      body: 'table',
    },
  ],
}

/** An address that redirects depending on the user, one of an unknown page, or one that a sign-in returns to. */
const unknown: Readonly<Record<FirstPaint['app'], PaintedScreen>> = {
  accountPortal: { path: 'unknown', body: 'form' },
  cameraApp: { path: 'unknown', body: 'tiles' },
  dealerDashboard: { path: 'unknown', body: 'table' },
}

/** Addresses that always redirect to the same screen. */
const redirects: Readonly<Partial<Record<FirstPaint['app'], Readonly<Record<string, string>>>>> = {
  accountPortal: { '/': '/details' },
}

const roots: Readonly<Record<FirstPaint['app'], string>> = {
  accountPortal: '',
  cameraApp: '/app',
  dealerDashboard: '/dealer',
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll('*', '[^/]+')}$`, 'i')

const patterns = Object.fromEntries(
  Object.entries(screens).map(([app, all]) => [app, all.map(({ path }) => [patternOf(path), path] as const)]),
)

/** The path pattern of the screen at an address of an application. */
export function nameScreen(app: FirstPaint['app'], path: string): string {
  const below = path.slice(roots[app].length).replace(/(?!^)\/+$/, '') || '/'
  const target = redirects[app]?.[below] ?? below
  return patterns[app]?.find(([pattern]) => pattern.test(target))?.[1] ?? unknown[app].path
}

/** @param path a result of {@link nameScreen}. */
export const findScreen = (app: FirstPaint['app'], path: string): PaintedScreen =>
  screens[app].find((screen) => screen.path === path) ?? unknown[app]

export const UNKNOWN = 'unknown'
