import { lazy } from 'react'

const load = () => import('./camera-modes/index.ts')

const schedules = () => import('./schedules/index.ts')

// What screens of cameras and zones show of modes and schedules. Those slices need theirs, so they meet here.
export const CameraModeControl = lazy(() => load().then((module) => ({ default: module.CameraModeControl })))
export const PrivacyButton = lazy(() => load().then((module) => ({ default: module.PrivacyButton })))
export const ZoneModeCard = lazy(() => load().then((module) => ({ default: module.ZoneModeCard })))
export const ZoneModesButton = lazy(() => load().then((module) => ({ default: module.ZoneModesButton })))
export const ZoneScheduleCard = lazy(() => schedules().then((module) => ({ default: module.ZoneScheduleCard })))
