import { lazy } from 'react'

const load = () => import('./camera-modes/index.ts')

// What screens of cameras and zones show of modes. The slice of modes needs theirs, so they meet here.
export const CameraModeControl = lazy(() => load().then((module) => ({ default: module.CameraModeControl })))
export const PrivacyButton = lazy(() => load().then((module) => ({ default: module.PrivacyButton })))
export const ZoneModeCard = lazy(() => load().then((module) => ({ default: module.ZoneModeCard })))
export const ZoneModesButton = lazy(() => load().then((module) => ({ default: module.ZoneModesButton })))
