import * as z from 'zod/mini'
import { brandTheme } from '../theme/index.ts'
import { apiVersions } from '../wire/index.ts'

/** The address of the run-time configuration, by host name. */
export const RUNTIME_CONFIG_PATH = '/config.json'

/** The address of the style sheet with the brand's colors, by host; every page of our apps links to it. */
export const THEME_STYLES_PATH = '/theme.css'

/**
 * The address of the texts of language `aa`, on the dedicated translation host. Each contains the marker of its text.
 */
export const TRANSLATION_TEXTS_PATH = '/translation/aa.json'

/**
 * The registered public clients of our own apps. Each may redirect to exactly `{origin}{redirectPath}` after sign-in
 * and to `{origin}{loggedOutPath}` after sign-out, on every host of a brand. Members of accounts and staff can sign in
 * only to their own ones.
 */
export const firstPartyClients = {
  accountPortal: {
    clientId: 'account.v2',
    appId: 'account.v2',
    serves: 'members',
    redirectPath: '/',
    loggedOutPath: '/logout',
  },
  cameraApp: {
    clientId: 'camera-app.v1',
    appId: 'camera-app.v1',
    serves: 'members',
    redirectPath: '/app/',
    loggedOutPath: '/app/logout',
  },
  dealerDashboard: {
    clientId: 'dealer.v1',
    appId: 'dealer.v1',
    serves: 'staff',
    redirectPath: '/dealer/',
    loggedOutPath: '/dealer/logout',
  },
} as const

const address = z.string()

/** Where the account portal asks a browser that is signed in as staff to sign out first (specification §2). */
export const FIRST_LOGOUT_PATH = '/firstlogout'

/**
 * The configuration that an app requests from its host first (specification §3 "Runtime config", then our additions).
 */
export const runtimeConfig = z.object({
  /**
   * Base of the API with version and slash, `https://host/rest/v2.4/`; all paths of the contract are relative to it.
   */
  apiServer: address,
  /** Origin of the authorization server, without a slash at the end. */
  authServer: address,
  appId: z.string(),
  title: z.string(),
  /** Whether this host is the dedicated translation host with language `aa`. */
  crowdinIntegration: z.boolean(),
  /** The translation tool: its project, the address of its script, and the address of the texts of `aa`. */
  translation: z.nullable(z.object({ project: z.string(), script: address, texts: z.string() })),
  /** Empty texts mean off; `script` is the address of its script, without query. */
  'tag-manager': z.object({
    enabled: z.boolean(),
    'tracking-id': z.string(),
    gtm_auth: z.string(),
    gtm_preview: z.string(),
    script: z.string(),
  }),
  webappURL: address,
  downloadportalURL: address,
  myaccountURL: address,
  dealerURL: address,
  theme: brandTheme,
  /** How the app gets its token (decision 12). */
  authFlow: z.enum(['code', 'token']),
  clientIds: z.object({ accountPortal: z.string(), cameraApp: z.string(), dealerDashboard: z.string() }),
  /** The version in `apiServer`; a client can replace it with another supported one. */
  apiVersion: z.enum(apiVersions),
})
export type RuntimeConfig = z.infer<typeof runtimeConfig>
