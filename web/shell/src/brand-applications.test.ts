import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { providerTheme } from '@sightline/contract/theme'
import { expect, test } from 'vitest'
import { availableApplications } from './brand-applications.ts'
import type { Translation } from './translation.tsx'

const say = (text: string) => text
const t: Translation = Object.assign(say, { message: say })

const configWith = (links: Partial<RuntimeConfig['theme']['links']>): RuntimeConfig => ({
  apiServer: 'https://cams.example/rest/v2.4/',
  authServer: 'https://cams.example',
  appId: 'account.v2',
  title: 'Cams',
  crowdinIntegration: false,
  translation: null,
  'tag-manager': { enabled: false, 'tracking-id': '', gtm_auth: '', gtm_preview: '', script: '' },
  webappURL: 'https://cams.example/app/',
  downloadportalURL: 'https://cams.example/downloads/',
  myaccountURL: 'https://cams.example/',
  dealerURL: 'https://cams.example/dealer/',
  theme: { ...providerTheme, links: { ...providerTheme.links, ...links } },
  authFlow: 'code',
  clientIds: { accountPortal: 'account.v2', cameraApp: 'camera-app.v1', dealerDashboard: 'dealer.v1' },
  apiVersion: 'v2.4',
})
const neither = { showDownloadPortal: false, showdealerdashboard: false }
const both = { showDownloadPortal: true, showdealerdashboard: true }

// Specification §1: the switcher has four applications. Download Portal and Dealer Dashboard appear only if the brand
// allows them.
test.each([
  ['neither allowed', { links: neither }, ['Web App', 'My Account']],
  [
    'the Download Portal allowed',
    { links: { ...neither, showDownloadPortal: true } },
    ['Web App', 'Download Portal', 'My Account'],
  ],
  [
    'the Dealer Dashboard allowed',
    { links: { ...neither, showdealerdashboard: true } },
    ['Web App', 'My Account', 'Dealer Dashboard'],
  ],
  ['both allowed', { links: both }, ['Web App', 'Download Portal', 'My Account', 'Dealer Dashboard']],
  [
    'neither allowed, in the Dealer Dashboard itself',
    { links: neither, current: 'dealerDashboard' },
    ['Web App', 'My Account', 'Dealer Dashboard'],
  ],
  ['support in My Account', { links: both, isSupport: true }, ['My Account', 'Dealer Dashboard']],
  ['support in the Web App', { links: neither, isSupport: true, current: 'cameraApp' }, ['Web App', 'My Account']],
] as const)('the application switcher, %s', (_, { links, ...given }, names) => {
  const around = { current: 'accountPortal', isSupport: false, ...given } as const
  const apps = availableApplications({ config: configWith(links), ...around }, t)
  expect(apps.map(({ name }) => name)).toEqual(names)
  expect(apps.filter((app) => app.current)).toHaveLength(1)
})

test('each application links to the brand’s address, else to the page’s host', () => {
  const hrefs = (links: Parameters<typeof configWith>[0]) =>
    availableApplications(
      { config: configWith({ ...both, ...links }), current: 'accountPortal', isSupport: false },
      t,
    ).map(({ href }) => href)
  expect(hrefs({})).toEqual(['/app/', 'https://cams.example/downloads/', '/', 'https://cams.example/dealer/'])
  const own = { webapp: 'https://a.example', downloadportal: 'https://b.example', dealerdashboard: 'https://c.example' }
  expect(hrefs(own)).toEqual(['https://a.example', 'https://b.example', '/', 'https://c.example'])
})
