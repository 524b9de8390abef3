// The first step of an application, before anything is rendered. It doesn't need React, so it runs first and requests
// data while the rest downloads.
export { accountQueries } from './account-queries.ts'
export type { Application } from './create-application.ts'
export { type Catalogue, offeredLanguages } from './offered-languages.ts'
export { startApplication } from './start-application.ts'
