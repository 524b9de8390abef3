import { firstPartyClients, type RuntimeConfig, TRANSLATION_TEXTS_PATH } from '@sightline/contract/runtime-config'
import type { Brand } from '@sightline/platform/brands'
import {
  getTranslationTool,
  type TagManager,
  type ThirdPartyScripts,
  type TranslationTool,
} from '../third-party-scripts/index.ts'

/** The operator's settings for all brands. */
export interface SiteSettings extends ThirdPartyScripts {
  readonly authFlow: RuntimeConfig['authFlow']
  /** Origins whose pages may embed the pages below `/settings/`. */
  readonly embeddedBy: readonly string[]
}

export const plainSite: SiteSettings = {
  translation: undefined,
  tagManager: undefined,
  authFlow: 'code',
  embeddedBy: [],
}

const API_VERSION = 'v2.4'

/** A brand's own link as an absolute address; otherwise our path on the brand's host. */
const linkOr = (origin: string, link: string | undefined, path: string): string => new URL(link ?? path, origin).href

function tagManagerOf(tagManager: TagManager | undefined): RuntimeConfig['tag-manager'] {
  if (tagManager === undefined) return { enabled: false, 'tracking-id': '', gtm_auth: '', gtm_preview: '', script: '' }
  const { trackingId, auth, preview, script } = tagManager
  return { enabled: true, 'tracking-id': trackingId, gtm_auth: auth, gtm_preview: preview, script }
}

const translationOf = (tool: TranslationTool | undefined): RuntimeConfig['translation'] =>
  tool === undefined ? null : { project: tool.project, script: tool.script, texts: TRANSLATION_TEXTS_PATH }

/** The run-time configuration of one brand (specification §3). */
export function buildRuntimeConfig(brand: Brand, site: SiteSettings): RuntimeConfig {
  const { origin, theme } = brand
  const tool = getTranslationTool(brand, site)
  const { accountPortal, cameraApp, dealerDashboard } = firstPartyClients
  return {
    apiServer: `${origin}/rest/${API_VERSION}/`,
    authServer: origin,
    appId: accountPortal.appId,
    title: theme.companyName,
    crowdinIntegration: tool !== undefined,
    translation: translationOf(tool),
    'tag-manager': tagManagerOf(site.tagManager),
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
