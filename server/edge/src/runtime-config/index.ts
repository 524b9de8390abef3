import { firstPartyClients, type RuntimeConfig } from '@sightline/contract/runtime-config'
import type { Brand } from '@sightline/platform/brands'

/** What the operator sets for all brands. */
export interface SiteSettings {
  /** The translation tool in the page, with language `aa`; only on a host set aside for translating. */
  readonly crowdinIntegration: boolean
  /** Set by the operator, never by a brand, because it runs foreign script (security.md §2.12). */
  readonly tagManager: RuntimeConfig['tag-manager']
  readonly authFlow: RuntimeConfig['authFlow']
}

export const plainSite: SiteSettings = {
  crowdinIntegration: false,
  tagManager: { enabled: false, 'tracking-id': '', gtm_auth: '', gtm_preview: '' },
  authFlow: 'code',
}

const API_VERSION = 'v2.4'

/** A brand's own link where it has one, made absolute; else our path on the brand's host. */
const linkOr = (origin: string, link: string | undefined, path: string): string => new URL(link ?? path, origin).href

/** The run-time configuration of one brand (specification §3). */
export function runtimeConfigOf({ origin, theme }: Brand, site: SiteSettings): RuntimeConfig {
  const { accountPortal, cameraApp, dealerDashboard } = firstPartyClients
  return {
    apiServer: `${origin}/rest/${API_VERSION}/`,
    authServer: origin,
    appId: accountPortal.appId,
    title: theme.companyName,
    crowdinIntegration: site.crowdinIntegration,
    'tag-manager': site.tagManager,
    webappURL: linkOr(origin, theme.links.webapp, '/app/'),
    downloadportalURL: linkOr(origin, theme.links.downloadportal, '/downloads/'),
    myaccountURL: linkOr(origin, theme.links.myaccount, '/'),
    dealerURL: linkOr(origin, theme.links.dealerdashboard, '/dealer/'),
    theme,
    authFlow: site.authFlow,
    clientIds: {
      accountPortal: accountPortal.clientId,
      cameraApp: cameraApp.clientId,
      dealerDashboard: dealerDashboard.clientId,
    },
    apiVersion: API_VERSION,
  }
}
