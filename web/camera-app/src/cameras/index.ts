export { cameraQueries } from './camera-queries.ts'
export { concurrencyLimit } from './concurrency-limit.ts'
export { Snapshot } from './Snapshot.tsx'
export { useIsNear } from './use-is-near.ts'
