import { lazy } from 'react'

// Few cameras have warnings, so this loads on demand.
export const CameraWarnings = lazy(() =>
  import('./camera-warnings/index.ts').then((module) => ({ default: module.CameraWarnings })),
)
