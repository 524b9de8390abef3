import { lazy } from 'react'

export { type QuickControls, useControls } from './use-controls.ts'

// Few people open it, so this loads on demand.
export const ControlsPanel = lazy(() =>
  import('./ControlsPanel.tsx').then((module) => ({ default: module.ControlsPanel })),
)
