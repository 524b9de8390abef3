export {
  ApiFailure,
  type CallOptions,
  type Client,
  type ClientSettings,
  createClient,
  type FieldFault,
  type Page,
  type PageWish,
  type TaggedReply,
} from './api.ts'
export type { LentToken } from './authorization.ts'
export {
  type CookieScope,
  clientId,
  closeCookieBanner,
  cookieBannerClosed,
  dropCookie,
  keepChoice,
  readCookie,
  writeCookie,
} from './cookies.ts'
export { type LanguageChoice, type Languages, languageChosenHere, startLanguages } from './language.ts'
export { nextTask } from './next-task.ts'
export { loadConfig } from './runtime-config.ts'
export {
  createSession,
  isSignedInElsewhere,
  lendSession,
  type SessionEndReason,
  type SessionSettings,
  type SignInSession,
  type Start,
  takeCallback,
} from './session.ts'
export type { LaterText, SharedText } from './shared-text.ts'
