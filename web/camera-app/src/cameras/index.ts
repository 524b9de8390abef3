export { cameraQueries } from './camera-queries.ts'
export { Snapshot } from './Snapshot.tsx'
export { useAddingWays } from './use-adding-ways.ts'
export { useIsNear } from './use-is-near.ts'
