/** What a camera's page and the Download Portal take from here, on demand. */

export { ShareFootage } from './ShareFootage.tsx'
export { ShareList } from './ShareList.tsx'
