import { getDeviceChannels } from '@sightline/contract/device-channels'
import { getDeviceJobs } from '@sightline/contract/device-jobs'
import { getDeviceLogs } from '@sightline/contract/device-logs'
import { getDeviceFirmware } from '@sightline/contract/firmware'
import { lazy } from 'react'
import type { RecorderTab } from './devices/index.ts'

const inputs = () => import('./device-channels/InputsTab.tsx')
const settings = () => import('./devices/RecorderSettings.tsx')
const maintenance = () => import('./device-jobs/MaintenanceTab.tsx')
const firmware = () => import('./firmware/RecorderFirmwareTab.tsx')
const log = () => import('./device-logs/RecorderLogTab.tsx')

/** The pages of a recorder, in order. Each one is a component in the folder of its feature, loaded when it is opened. */
export const recorderTabs: readonly RecorderTab[] = [
  {
    path: 'inputs',
    label: 'Inputs',
    needs: getDeviceChannels,
    Content: lazy(() => inputs().then((module) => ({ default: module.InputsTab }))),
  },
  {
    path: 'settings',
    label: 'Settings',
    needs: getDeviceChannels,
    Content: lazy(() => settings().then((module) => ({ default: module.RecorderSettings }))),
  },
  {
    path: 'maintenance',
    label: 'Maintenance',
    needs: getDeviceJobs,
    Content: lazy(() => maintenance().then((module) => ({ default: module.MaintenanceTab }))),
  },
  {
    path: 'firmware',
    label: 'Firmware',
    needs: getDeviceFirmware,
    Content: lazy(() => firmware().then((module) => ({ default: module.RecorderFirmwareTab }))),
  },
  {
    path: 'log',
    label: 'Log',
    needs: getDeviceLogs,
    Content: lazy(() => log().then((module) => ({ default: module.RecorderLogTab }))),
  },
]
