export { cameraQueries } from './camera-queries.ts'
export { Snapshot } from './Snapshot.tsx'
