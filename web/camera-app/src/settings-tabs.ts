import { BODY_WORN } from '@sightline/contract/cameras'
import { getMobileNetwork } from '@sightline/contract/mobile-networks'
import type { Right } from '@sightline/contract/rights'
import { lazy } from 'react'
import type { SettingsTab } from './camera-settings/index.ts'

const detections = () => import('./detectors/DetectionsTab.tsx')
const areas = () => import('./detectors/AreasTab.tsx')
const schedule = () => import('./schedules/ScheduleTab.tsx')
const recording = () => import('./camera-modes/RecordingTab.tsx')
const video = () => import('./camera-settings/VideoTab.tsx')
const mobileNetwork = () => import('./body-cameras/MobileNetworkTab.tsx')
const general = () => import('./camera-settings/GeneralTab.tsx')
const replacement = () => import('./camera-replacements/ReplacementTab.tsx')
const ports = () => import('./camera-io/PortsTab.tsx')
const firmware = () => import('./firmware/FirmwareTab.tsx')
const network = () => import('./camera-connection/NetworkTab.tsx')
const sound = () => import('./camera-audio/SoundTab.tsx')
const storage = () => import('./edge-storage/StorageTab.tsx')
const checkUp = () => import('./camera-check-ups/CheckUpTab.tsx')
const info = () => import('./camera-capabilities/CameraInfoTab.tsx')

/**
 * The tabs of a camera's settings, in order. Each one is a component in the folder of its feature, loaded when it is
 * opened, with a form of its own: `SaveCard` or `UnsavedChanges` ask before its changes are lost.
 */
const settingsTabs: readonly SettingsTab[] = [
  {
    path: 'general',
    label: 'General',
    rights: ['editCamera'],
    keptBy: 'server',
    isSupported: () => true,
    Content: lazy(() => general().then((module) => ({ default: module.GeneralTab }))),
  },
  {
    path: 'recording',
    label: 'Recording',
    rights: ['editCamera'],
    keptBy: 'server',
    Content: lazy(() => recording().then((module) => ({ default: module.RecordingTab }))),
  },
  {
    path: 'detections',
    label: 'Detections',
    rights: ['motionDetection', 'audioPIR'],
    keptBy: 'server',
    Content: lazy(() => detections().then((module) => ({ default: module.DetectionsTab }))),
  },
  {
    path: 'areas',
    label: 'Detection areas',
    rights: ['motionDetection'],
    keptBy: 'server',
    Content: lazy(() => areas().then((module) => ({ default: module.AreasTab }))),
  },
  {
    path: 'schedule',
    label: 'Schedule and notifications',
    rights: ['editSchedule'],
    keptBy: 'server',
    Content: lazy(() => schedule().then((module) => ({ default: module.ScheduleTab }))),
  },
  {
    path: 'video',
    label: 'Video',
    rights: ['editCamera', 'cameraExposureControl', 'cameraIllumination'],
    keptBy: 'camera',
    Content: lazy(() => video().then((module) => ({ default: module.VideoTab }))),
  },
  {
    path: 'network',
    label: 'Network',
    rights: ['editCamera'],
    keptBy: 'connection',
    Content: lazy(() => network().then((module) => ({ default: module.NetworkTab }))),
  },
  {
    path: 'mobile-network',
    label: 'Mobile network',
    rights: ['editCamera'],
    call: getMobileNetwork,
    keptBy: 'neither',
    isSupported: ({ camera }) => camera.deviceTypeId === BODY_WORN,
    Content: lazy(() => mobileNetwork().then((module) => ({ default: module.MobileNetworkTab }))),
  },
  {
    path: 'sound',
    label: 'Sound',
    rights: ['editCamera'],
    keptBy: 'server',
    Content: lazy(() => sound().then((module) => ({ default: module.SoundTab }))),
  },
  {
    path: 'io',
    label: 'Inputs and outputs',
    rights: ['deviceIORead', 'deviceIOWrite'],
    keptBy: 'camera',
    Content: lazy(() => ports().then((module) => ({ default: module.PortsTab }))),
  },
  {
    path: 'info',
    label: 'Camera info',
    rights: ['editCamera'],
    keptBy: 'server',
    Content: lazy(() => info().then((module) => ({ default: module.CameraInfoTab }))),
  },
  {
    path: 'check-up',
    label: 'Check-up',
    rights: ['editCamera'],
    keptBy: 'neither',
    Content: lazy(() => checkUp().then((module) => ({ default: module.CheckUpTab }))),
  },
  {
    path: 'firmware',
    label: 'Firmware',
    rights: ['editCamera'],
    keptBy: 'neither',
    Content: lazy(() => firmware().then((module) => ({ default: module.FirmwareTab }))),
  },
  {
    path: 'storage',
    label: 'Storage card and sync',
    rights: ['edgeStorageManagement'],
    keptBy: 'neither',
    Content: lazy(() => storage().then((module) => ({ default: module.StorageTab }))),
  },
  {
    path: 'replacement',
    label: 'Replace camera',
    rights: ['addCameraManually'],
    keptBy: 'neither',
    Content: lazy(() => replacement().then((module) => ({ default: module.ReplacementTab }))),
  },
]

/** The tabs that a user with these rights has, before it is known what the camera can do. */
export const tabsOfRights = (rights: ReadonlySet<Right>): readonly SettingsTab[] =>
  settingsTabs.filter((tab) => tab.rights.some((right) => rights.has(right)))
