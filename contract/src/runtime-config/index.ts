import * as z from 'zod/mini'
import { brandTheme } from '../theme/index.ts'
import { apiVersions } from '../wire/index.ts'

/** Where the run-time configuration answers, by host name. */
export const RUNTIME_CONFIG_PATH = '/config.json'

/** Where a host's style sheet of its brand's colours answers; every page of our apps links to it. */
export const THEME_STYLES_PATH = '/theme.css'

/** Where the texts of language `aa` answer, on the host set aside for translating; each holds the mark of its text. */
export const TRANSLATION_TEXTS_PATH = '/translation/aa.json'

/**
 * The registered public clients of our own apps. Each may return to exactly `{origin}{redirectPath}` after signing in
 * and to `{origin}{loggedOutPath}` after signing out, on every host of a brand. Members of accounts and staff sign in to
 * their own ones only.
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

/** Where the account portal tells a browser that is signed in as staff to sign out first (specification §2). */
export const FIRST_LOGOUT_PATH = '/firstlogout'

/** What an app asks its own host before anything else (specification §3 "Runtime config", then our additions). */
export const runtimeConfig = z.object({
  /** Base of the API with version and slash, `https://host/rest/v2.4/`; every path of the contract is relative to it. */
  apiServer: address,
  /** Origin of the authorization server, without a slash at the end. */
  authServer: address,
  appId: z.string(),
  title: z.string(),
  /** Whether this host is the one set aside for translating in the page, with language `aa`. */
  crowdinIntegration: z.boolean(),
  /** The tool for it: its project, the address of its script, and where the texts of `aa` are. */
  translation: z.nullable(z.object({ project: z.string(), script: address, texts: z.string() })),
  /** Texts are empty where it is off; `script` is the address of its script, without query. */
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
  /** How the token reaches the app (decision 12). */
  authFlow: z.enum(['code', 'token']),
  clientIds: z.object({ accountPortal: z.string(), cameraApp: z.string(), dealerDashboard: z.string() }),
  /** The version in `apiServer`; a client may put another of the answered ones there. */
  apiVersion: z.enum(apiVersions),
})
export type RuntimeConfig = z.infer<typeof runtimeConfig>
