// What an application begins with before anything of it is drawn: nothing here needs React, so that it comes first and asks
// for data while the rest is on its way.
export { accountQueries } from './account-queries.ts'
export type { Application } from './create-application.ts'
export { loadCookieNotice } from './load-cookie-notice.ts'
export { type Catalogue, offeredLanguages } from './offered-languages.ts'
export { type Place, startApplication } from './start-application.ts'
