export { CameraModeControl } from './CameraModeControl.tsx'
export { PrivacyButton } from './PrivacyButton.tsx'
export { ZoneModeCard, ZoneModesButton } from './ZoneModes.tsx'
