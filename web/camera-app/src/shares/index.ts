/** What a camera's page and the Download Portal take from here, on demand. */

export { ShareList } from './ShareList.tsx'
export { ShareShown } from './ShareShown.tsx'
export { sharesQuery } from './share-queries.ts'
